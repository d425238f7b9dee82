<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>About</name>
    <message>
        <source>%1, PySide %2</source>
        <translation>%1, PySide %2</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>not installed</source>
        <translation>nicht installiert</translation>
    </message>
</context>
<context>
    <name>AboutDialog</name>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Text kopieren</translation>
    </message>
    <message>
        <source>MIT licence. Qt and PySide are used under the LGPL.</source>
        <translation>MIT-Lizenz. Qt und PySide werden unter der LGPL benutzt.</translation>
    </message>
    <message>
        <source>Watch and steer graphs of tasks that run on many devices.</source>
        <translation>Graphen von Aufgaben, die auf vielen Geräten laufen, beobachten und steuern.</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1, %2 of those selected</source>
        <translation>%1, %2 der ausgewählten</translation>
    </message>
    <message>
        <source>About Starloom</source>
        <translation>Über Starloom</translation>
    </message>
    <message>
        <source>Add device…</source>
        <translation>Gerät hinzufügen …</translation>
    </message>
    <message>
        <source>Add editing agent…</source>
        <translation>Bearbeitenden Agenten hinzufügen …</translation>
    </message>
    <message>
        <source>Add note</source>
        <translation>Notiz hinzufügen</translation>
    </message>
    <message>
        <source>Add task…</source>
        <translation>Aufgabe hinzufügen …</translation>
    </message>
    <message>
        <source>Add the selected tasks once more; in a run, copies wait for what their originals wait for</source>
        <translation>Die ausgewählten Aufgaben noch einmal hinzufügen; in einem Lauf warten Kopien auf das, worauf ihre Originale warten</translation>
    </message>
    <message>
        <source>Align bottom</source>
        <translation>Unten ausrichten</translation>
    </message>
    <message>
        <source>Align centres</source>
        <translation>Waagerecht zentrieren</translation>
    </message>
    <message>
        <source>Align left</source>
        <translation>Links ausrichten</translation>
    </message>
    <message>
        <source>Align middles</source>
        <translation>Senkrecht zentrieren</translation>
    </message>
    <message>
        <source>Align right</source>
        <translation>Rechts ausrichten</translation>
    </message>
    <message>
        <source>Align top</source>
        <translation>Oben ausrichten</translation>
    </message>
    <message>
        <source>All runs of the journal: open, compare sizes, tidy up</source>
        <translation>Alle Läufe des Journals: öffnen, Größen vergleichen, aufräumen</translation>
    </message>
    <message>
        <source>Apply all staged changes at once</source>
        <translation>Alles Gesammelte auf einmal anwenden</translation>
    </message>
    <message>
        <source>Apply to plan</source>
        <translation>Auf den Plan anwenden</translation>
    </message>
    <message>
        <source>Back to live</source>
        <translation>Zurück zur Gegenwart</translation>
    </message>
    <message>
        <source>Begin an empty plan</source>
        <translation>Einen leeren Plan beginnen</translation>
    </message>
    <message>
        <source>Break reservation…</source>
        <translation>Reservierung aufheben …</translation>
    </message>
    <message>
        <source>Cancel everything that has not ended</source>
        <translation>Alles abbrechen, was noch nicht beendet ist</translation>
    </message>
    <message>
        <source>Cancel run</source>
        <translation>Lauf abbrechen</translation>
    </message>
    <message>
        <source>Cancel them; running ones are stopped</source>
        <translation>Abbrechen; was läuft, wird gestoppt</translation>
    </message>
    <message>
        <source>Carry the run&apos;s edits back to its plan</source>
        <translation>Die Änderungen des Laufs in seinen Plan übernehmen</translation>
    </message>
    <message>
        <source>Change device…</source>
        <translation>Gerät ändern …</translation>
    </message>
    <message>
        <source>Change the priority of the selected tasks</source>
        <translation>Die Priorität der ausgewählten Aufgaben ändern</translation>
    </message>
    <message>
        <source>Change what the plan says besides its tasks: limits, defaults, devices, rules</source>
        <translation>Ändern, was der Plan außer seinen Aufgaben sagt: Limits, Vorgaben, Geräte, Regeln</translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation>Reiter schließen</translation>
    </message>
    <message>
        <source>Close the console</source>
        <translation>Die Konsole schließen</translation>
    </message>
    <message>
        <source>Close this plan or run; a run goes on</source>
        <translation>Diesen Plan oder Lauf schließen; ein Lauf geht weiter</translation>
    </message>
    <message>
        <source>Commands…</source>
        <translation>Befehle …</translation>
    </message>
    <message>
        <source>Commit staged changes</source>
        <translation>Gesammelte Änderungen anwenden</translation>
    </message>
    <message>
        <source>Compare with an earlier run…</source>
        <translation>Mit früherem Lauf vergleichen …</translation>
    </message>
    <message>
        <source>Compare with plan</source>
        <translation>Mit Plan vergleichen</translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation>Verbinden …</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the selected tasks with the dependencies between them; in a field its text</source>
        <translation>Die ausgewählten Aufgaben mit den Abhängigkeiten zwischen ihnen kopieren; in einem Feld dessen Text</translation>
    </message>
    <message>
        <source>Copy what is selected and remove it</source>
        <translation>Das Ausgewählte kopieren und entfernen</translation>
    </message>
    <message>
        <source>Count them as done without running them</source>
        <translation>Als fertig zählen, ohne sie auszuführen</translation>
    </message>
    <message>
        <source>Create run without starting it</source>
        <translation>Lauf anlegen, ohne ihn zu starten</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>Kritischer Pfad</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>Ausschneiden</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>Trennen</translation>
    </message>
    <message>
        <source>Distribute horizontally</source>
        <translation>Waagerecht verteilen</translation>
    </message>
    <message>
        <source>Distribute vertically</source>
        <translation>Senkrecht verteilen</translation>
    </message>
    <message>
        <source>Do not start them until released</source>
        <translation>Nicht starten, bis sie losgelassen werden</translation>
    </message>
    <message>
        <source>Do with a reason…</source>
        <translation>Mit Begründung …</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Edit note</source>
        <translation>Notiz bearbeiten</translation>
    </message>
    <message>
        <source>Edits take effect at once</source>
        <translation>Änderungen wirken sofort</translation>
    </message>
    <message>
        <source>End a reservation of somebody else, and say why: events and reports tell it</source>
        <translation>Die Reservierung eines anderen beenden und sagen, warum: Ereignisse und Berichte nennen es</translation>
    </message>
    <message>
        <source>End my reservation</source>
        <translation>Meine Reservierung beenden</translation>
    </message>
    <message>
        <source>Enlarge the graph</source>
        <translation>Den Graphen vergrößern</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Find a task</source>
        <translation>Aufgabe suchen</translation>
    </message>
    <message>
        <source>Find a text in commands, scripts and variables, and replace it in all of them</source>
        <translation>Einen Text in Befehlen, Skripten und Variablen suchen und überall ersetzen</translation>
    </message>
    <message>
        <source>Find and replace…</source>
        <translation>Suchen und ersetzen …</translation>
    </message>
    <message>
        <source>Find any command by its name</source>
        <translation>Jeden Befehl nach seinem Namen finden</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>Gather edits and commit them together</source>
        <translation>Änderungen sammeln und zusammen anwenden</translation>
    </message>
    <message>
        <source>Give it no new tasks; what runs there goes on</source>
        <translation>Keine neuen Aufgaben mehr geben; was dort läuft, geht weiter</translation>
    </message>
    <message>
        <source>Give it tasks again</source>
        <translation>Wieder Aufgaben geben</translation>
    </message>
    <message>
        <source>Go on with runs that an earlier program left behind</source>
        <translation>Läufe fortsetzen, die ein früheres Programm zurückgelassen hat</translation>
    </message>
    <message>
        <source>Group selection…</source>
        <translation>Auswahl gruppieren …</translation>
    </message>
    <message>
        <source>Have equal gaps between the selected nodes; the highest and the lowest one stay</source>
        <translation>Zwischen den ausgewählten Knoten gleiche Abstände herstellen; der oberste und der unterste bleiben stehen</translation>
    </message>
    <message>
        <source>Have equal gaps between the selected nodes; the leftmost and the rightmost one stay</source>
        <translation>Zwischen den ausgewählten Knoten gleiche Abstände herstellen; der linke und der rechte äußere bleiben stehen</translation>
    </message>
    <message>
        <source>Have tasks of an earlier run that has ended retried, rerun and changed again</source>
        <translation>Aufgaben eines früheren, beendeten Laufs wieder wiederholen, erneut ausführen und ändern lassen</translation>
    </message>
    <message>
        <source>History…</source>
        <translation>Verlauf …</translation>
    </message>
    <message>
        <source>Hold, cancel, drain or the like, and say why: Events and reports keep it</source>
        <translation>Zurückhalten, abbrechen, leerlaufen lassen oder dergleichen und sagen, warum: Ereignisse und Berichte behalten es</translation>
    </message>
    <message>
        <source>How many tasks it runs at once</source>
        <translation>Wie viele Aufgaben es zugleich ausführt</translation>
    </message>
    <message>
        <source>How many tasks of this run, and of all runs, may run at once</source>
        <translation>Wie viele Aufgaben dieses Laufs und aller Läufe zugleich laufen dürfen</translation>
    </message>
    <message>
        <source>Interrupted runs…</source>
        <translation>Unterbrochene Läufe …</translation>
    </message>
    <message>
        <source>Its address, capabilities and other options; nothing may run on it meanwhile</source>
        <translation>Seine Adresse, Fähigkeiten und anderen Optionen; solange darf nichts darauf laufen</translation>
    </message>
    <message>
        <source>Keep others and agents from changing the run for a time; its tasks go on</source>
        <translation>Andere und Agenten für eine Zeit daran hindern, den Lauf zu ändern; seine Aufgaben laufen weiter</translation>
    </message>
    <message>
        <source>Keep others from changing limits and devices for a time; tasks go on</source>
        <translation>Andere für eine Zeit daran hindern, Limits und Geräte zu ändern; Aufgaben laufen weiter</translation>
    </message>
    <message>
        <source>Keep others from changing the device for a time; it starts no task, and what runs there goes on</source>
        <translation>Andere für eine Zeit daran hindern, das Gerät zu ändern; es startet keine Aufgabe, und was dort läuft, läuft weiter</translation>
    </message>
    <message>
        <source>Keyboard…</source>
        <translation>Tastatur …</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>Größer</translation>
    </message>
    <message>
        <source>Lay all nodes out anew, also those that were placed by hand</source>
        <translation>Alle Knoten neu anordnen, auch von Hand platzierte</translation>
    </message>
    <message>
        <source>Let a dragged node stop in line with others and at equal gaps; Ctrl holds it off</source>
        <translation>Gezogene Knoten in einer Linie mit anderen und bei gleichen Abständen einrasten lassen; Strg setzt das aus</translation>
    </message>
    <message>
        <source>Let an agent edit the run as its tasks end</source>
        <translation>Einen Agenten den Lauf ändern lassen, während seine Aufgaben enden</translation>
    </message>
    <message>
        <source>Let held tasks start</source>
        <translation>Zurückgehaltene Aufgaben starten lassen</translation>
    </message>
    <message>
        <source>Let it be used again</source>
        <translation>Wieder benutzen lassen</translation>
    </message>
    <message>
        <source>Let nothing move or fade</source>
        <translation>Nichts bewegen und nichts überblenden</translation>
    </message>
    <message>
        <source>Let others and agents change the run again</source>
        <translation>Andere und Agenten den Lauf wieder ändern lassen</translation>
    </message>
    <message>
        <source>Let others change limits and devices again</source>
        <translation>Andere Limits und Geräte wieder ändern lassen</translation>
    </message>
    <message>
        <source>Let the device start tasks, and others change it, again</source>
        <translation>Das Gerät wieder Aufgaben starten und andere es ändern lassen</translation>
    </message>
    <message>
        <source>Let the run&apos;s time pass, or stand still</source>
        <translation>Die Zeit des Laufs vergehen oder stillstehen lassen</translation>
    </message>
    <message>
        <source>Let the window take the whole screen, or as much as before</source>
        <translation>Das Fenster den ganzen Bildschirm einnehmen lassen, oder so viel wie zuvor</translation>
    </message>
    <message>
        <source>Let them complete without running, with what their parents have</source>
        <translation>Sie enden als erledigt, ohne zu laufen, mit dem, was ihre Vorgänger haben</translation>
    </message>
    <message>
        <source>Let them run again where it is their turn</source>
        <translation>Sie laufen wieder, wenn sie an der Reihe sind</translation>
    </message>
    <message>
        <source>Let them run wherever their fields allow</source>
        <translation>Überall laufen lassen, wo ihre Felder es erlauben</translation>
    </message>
    <message>
        <source>Lift the goal: start whatever is ready again</source>
        <translation>Das Ziel aufheben: wieder alles starten, was bereit ist</translation>
    </message>
    <message>
        <source>Limit running tasks…</source>
        <translation>Laufende Aufgaben begrenzen …</translation>
    </message>
    <message>
        <source>List what failed, ended or got stuck</source>
        <translation>Auflisten, was fehlschlug, endete oder stecken blieb</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Look for a task by name</source>
        <translation>Eine Aufgabe nach ihrem Namen suchen</translation>
    </message>
    <message>
        <source>Make a plan of the graph as the run has it now</source>
        <translation>Aus dem Graphen, wie ihn der Lauf jetzt hat, einen Plan machen</translation>
    </message>
    <message>
        <source>Make a run of the plan that starts nothing yet: attach agents or edit it first</source>
        <translation>Einen Lauf des Plans anlegen, der noch nichts startet: zuerst Agenten anhängen oder ihn bearbeiten</translation>
    </message>
    <message>
        <source>Make the edit again</source>
        <translation>Die Änderung wiederholen</translation>
    </message>
    <message>
        <source>Mark as done</source>
        <translation>Als fertig markieren</translation>
    </message>
    <message>
        <source>Move the pane with the keyboard, or the graph, to a second window, or back</source>
        <translation>Den Bereich mit der Tastatur, oder den Graphen, in ein zweites Fenster legen, oder zurück</translation>
    </message>
    <message>
        <source>Move the selected nodes sideways so that their middles are on one line</source>
        <translation>Die ausgewählten Knoten seitwärts verschieben, bis ihre Mitten auf einer Linie liegen</translation>
    </message>
    <message>
        <source>Move the selected nodes so that their left sides are on one line</source>
        <translation>Die ausgewählten Knoten so verschieben, dass ihre linken Seiten auf einer Linie liegen</translation>
    </message>
    <message>
        <source>Move the selected nodes so that their lower sides are on one line</source>
        <translation>Die ausgewählten Knoten so verschieben, dass ihre unteren Seiten auf einer Linie liegen</translation>
    </message>
    <message>
        <source>Move the selected nodes so that their right sides are on one line</source>
        <translation>Die ausgewählten Knoten so verschieben, dass ihre rechten Seiten auf einer Linie liegen</translation>
    </message>
    <message>
        <source>Move the selected nodes so that their upper sides are on one line</source>
        <translation>Die ausgewählten Knoten so verschieben, dass ihre oberen Seiten auf einer Linie liegen</translation>
    </message>
    <message>
        <source>Move the selected nodes up and down so that their middles are on one line</source>
        <translation>Die ausgewählten Knoten nach oben und unten verschieben, bis ihre Mitten auf einer Linie liegen</translation>
    </message>
    <message>
        <source>New plan</source>
        <translation>Neuer Plan</translation>
    </message>
    <message>
        <source>Next engine</source>
        <translation>Nächste Engine</translation>
    </message>
    <message>
        <source>Next event</source>
        <translation>Nächstes Ereignis</translation>
    </message>
    <message>
        <source>Next tab</source>
        <translation>Nächster Reiter</translation>
    </message>
    <message>
        <source>No task has failed.</source>
        <translation>Keine Aufgabe ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <source>Open a plan</source>
        <translation>Einen Plan öffnen</translation>
    </message>
    <message>
        <source>Open fleet…</source>
        <translation>Flotte öffnen …</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Pane in a window of its own</source>
        <translation>Bereich in einem eigenen Fenster</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Paste with outside dependencies</source>
        <translation>Mit Abhängigkeiten nach außen einfügen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Performance figures</source>
        <translation>Leistungswerte</translation>
    </message>
    <message>
        <source>Pin to device…</source>
        <translation>Auf Gerät festlegen …</translation>
    </message>
    <message>
        <source>Plan properties…</source>
        <translation>Planeigenschaften …</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Previous engine</source>
        <translation>Vorige Engine</translation>
    </message>
    <message>
        <source>Previous event</source>
        <translation>Voriges Ereignis</translation>
    </message>
    <message>
        <source>Previous tab</source>
        <translation>Vorheriger Reiter</translation>
    </message>
    <message>
        <source>Put another device into the fleet</source>
        <translation>Ein weiteres Gerät in die Flotte aufnehmen</translation>
    </message>
    <message>
        <source>Put every pane back in its first place</source>
        <translation>Alle Bereiche an ihren ersten Platz zurücklegen</translation>
    </message>
    <message>
        <source>Put in copied tasks, and connect them to the tasks that those were connected to</source>
        <translation>Kopierte Aufgaben einfügen und mit den Aufgaben verbinden, mit denen jene verbunden waren</translation>
    </message>
    <message>
        <source>Put in what was copied; in a run, copies wait for what their originals wait for</source>
        <translation>Das Kopierte einfügen; in einem Lauf warten Kopien auf das, worauf ihre Originale warten</translation>
    </message>
    <message>
        <source>Put the devices of a fleet file into the fleet, and begin with them next time</source>
        <translation>Die Geräte einer Flottendatei in die Flotte aufnehmen und das nächste Mal mit ihnen beginnen</translation>
    </message>
    <message>
        <source>Put the selected tasks into a group, which can be folded to one node</source>
        <translation>Die ausgewählten Aufgaben in eine Gruppe legen, die sich zu einem Knoten zuklappen lässt</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Read the plan&apos;s file again, as another program may have changed it</source>
        <translation>Die Datei des Plans erneut lesen, falls ein anderes Programm sie geändert hat</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Reduced motion</source>
        <translation>Weniger Bewegung</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Remove dependencies that a path of others replaces; in a run they are staged first</source>
        <translation>Abhängigkeiten entfernen, die ein Pfad aus anderen ersetzt; in einem Lauf werden sie zuerst vorgemerkt</translation>
    </message>
    <message>
        <source>Remove note</source>
        <translation>Notiz entfernen</translation>
    </message>
    <message>
        <source>Remove redundant dependencies</source>
        <translation>Überflüssige Abhängigkeiten entfernen</translation>
    </message>
    <message>
        <source>Reopen</source>
        <translation>Wieder öffnen</translation>
    </message>
    <message>
        <source>Reserve…</source>
        <translation>Reservieren …</translation>
    </message>
    <message>
        <source>Reset layout</source>
        <translation>Anordnung zurücksetzen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Retry failed</source>
        <translation>Fehlgeschlagene wiederholen</translation>
    </message>
    <message>
        <source>Run all failed tasks again</source>
        <translation>Alle fehlgeschlagenen Aufgaben noch einmal ausführen</translation>
    </message>
    <message>
        <source>Run demo</source>
        <translation>Demo starten</translation>
    </message>
    <message>
        <source>Run it and everything behind it again</source>
        <translation>Sie und alles dahinter noch einmal ausführen</translation>
    </message>
    <message>
        <source>Run neither them nor what needs their success</source>
        <translation>Weder sie ausführen noch, was ihren Erfolg braucht</translation>
    </message>
    <message>
        <source>Run the demo, about a minute</source>
        <translation>Die Demo ausführen, etwa eine Minute</translation>
    </message>
    <message>
        <source>Run them again</source>
        <translation>Noch einmal ausführen</translation>
    </message>
    <message>
        <source>Run them on one device only</source>
        <translation>Nur auf einem Gerät ausführen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>Save fleet as…</source>
        <translation>Flotte speichern unter …</translation>
    </message>
    <message>
        <source>Save run&apos;s graph as plan</source>
        <translation>Graph des Laufs als Plan speichern</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>Den Plan speichern</translation>
    </message>
    <message>
        <source>Save the plan in another file, in the format its ending names</source>
        <translation>Den Plan in einer anderen Datei speichern, in dem Format, das ihre Endung nennt</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Select all that depends on the selected tasks, directly or not, and keep them</source>
        <translation>Alles, was unmittelbar oder mittelbar von den ausgewählten Aufgaben abhängt, mit ihnen auswählen</translation>
    </message>
    <message>
        <source>Select all that depends on the selected tasks, directly or not, instead of them</source>
        <translation>Statt der ausgewählten Aufgaben alles auswählen, was unmittelbar oder mittelbar von ihnen abhängt</translation>
    </message>
    <message>
        <source>Select all that the selected tasks depend on, directly or not, and keep them</source>
        <translation>Alles, wovon die ausgewählten Aufgaben unmittelbar oder mittelbar abhängen, mit ihnen auswählen</translation>
    </message>
    <message>
        <source>Select all that the selected tasks depend on, directly or not, instead of them</source>
        <translation>Statt der ausgewählten Aufgaben alles auswählen, wovon sie unmittelbar oder mittelbar abhängen</translation>
    </message>
    <message>
        <source>Select downstream</source>
        <translation>Nachfolger auswählen</translation>
    </message>
    <message>
        <source>Select every task; in a field all its text</source>
        <translation>Jede Aufgabe auswählen; in einem Feld den ganzen Text</translation>
    </message>
    <message>
        <source>Select upstream</source>
        <translation>Vorgänger auswählen</translation>
    </message>
    <message>
        <source>Select with downstream</source>
        <translation>Mit Nachfolgern auswählen</translation>
    </message>
    <message>
        <source>Select with upstream</source>
        <translation>Mit Vorgängern auswählen</translation>
    </message>
    <message>
        <source>Set slots…</source>
        <translation>Plätze festlegen …</translation>
    </message>
    <message>
        <source>Show all keys</source>
        <translation>Alle Tasten zeigen</translation>
    </message>
    <message>
        <source>Show an earlier run&apos;s bars below those of this one, and how each task differs</source>
        <translation>Die Balken eines früheren Laufs unter denen von diesem zeigen, und wie sich jede Aufgabe unterscheidet</translation>
    </message>
    <message>
        <source>Show how the run ended, or as it is now</source>
        <translation>Zeigen, wie der Lauf endete oder wie er jetzt ist</translation>
    </message>
    <message>
        <source>Show in the status bar how the console keeps up with what happens</source>
        <translation>In der Statusleiste zeigen, wie die Konsole mit dem Geschehen Schritt hält</translation>
    </message>
    <message>
        <source>Show more of the graph</source>
        <translation>Mehr vom Graphen zeigen</translation>
    </message>
    <message>
        <source>Show some tasks only, by status, device or limit group</source>
        <translation>Nur manche Aufgaben zeigen, nach Status, Gerät oder Limitgruppe</translation>
    </message>
    <message>
        <source>Show the engine before of those that this window is connected to</source>
        <translation>Die vorige der Engines zeigen, mit denen dieses Fenster verbunden ist</translation>
    </message>
    <message>
        <source>Show the engine of a server, here or on another machine, in a tab or a window</source>
        <translation>Die Engine eines Servers zeigen, hier oder auf einer anderen Maschine, in einem Reiter oder Fenster</translation>
    </message>
    <message>
        <source>Show the engine of this server no more; its runs go on</source>
        <translation>Die Engine dieses Servers nicht mehr zeigen; ihre Läufe gehen weiter</translation>
    </message>
    <message>
        <source>Show the next engine of those that this window is connected to</source>
        <translation>Die nächste der Engines zeigen, mit denen dieses Fenster verbunden ist</translation>
    </message>
    <message>
        <source>Show the plan or run in the next tab</source>
        <translation>Den Plan oder Lauf im nächsten Reiter zeigen</translation>
    </message>
    <message>
        <source>Show the plan or run in the tab before</source>
        <translation>Den Plan oder Lauf im vorigen Reiter zeigen</translation>
    </message>
    <message>
        <source>Show the run as it is now</source>
        <translation>Den Lauf zeigen, wie er jetzt ist</translation>
    </message>
    <message>
        <source>Show the run as it was after its next event</source>
        <translation>Den Lauf zeigen, wie er nach seinem nächsten Ereignis war</translation>
    </message>
    <message>
        <source>Show the run as it was at any moment</source>
        <translation>Den Lauf zeigen, wie er in irgendeinem Augenblick war</translation>
    </message>
    <message>
        <source>Show the run as it was at first</source>
        <translation>Den Lauf zeigen, wie er zuerst war</translation>
    </message>
    <message>
        <source>Show the run as it was before its last event</source>
        <translation>Den Lauf zeigen, wie er vor seinem letzten Ereignis war</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>Den ganzen Graphen zeigen</translation>
    </message>
    <message>
        <source>Show this run alone again</source>
        <translation>Diesen Lauf wieder allein zeigen</translation>
    </message>
    <message>
        <source>Show times as a clock in Greenwich without summer time would</source>
        <translation>Zeiten zeigen wie eine Uhr in Greenwich ohne Sommerzeit</translation>
    </message>
    <message>
        <source>Show what decides the end</source>
        <translation>Zeigen, was das Ende bestimmt</translation>
    </message>
    <message>
        <source>Show what the run&apos;s graph has and its plan has not, and the other way round</source>
        <translation>Zeigen, was der Graph des Laufs hat und sein Plan nicht, und umgekehrt</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>Kleiner</translation>
    </message>
    <message>
        <source>Snap</source>
        <translation>Einrasten</translation>
    </message>
    <message>
        <source>Staged</source>
        <translation>Gesammelt</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Start nothing more; what runs goes on. A created run begins without a task</source>
        <translation>Nichts weiter starten; was läuft, läuft weiter. Ein angelegter Lauf beginnt ohne eine Aufgabe</translation>
    </message>
    <message>
        <source>Start one task of the paused run: the selected one if it can start, else the next</source>
        <translation>Eine Aufgabe des angehaltenen Laufs starten: die ausgewählte, wenn sie starten kann, sonst die nächste</translation>
    </message>
    <message>
        <source>Start only them and what they depend on; a paused run goes on until there</source>
        <translation>Nur sie starten und das, wovon sie abhängen; ein angehaltener Lauf geht bis dahin weiter</translation>
    </message>
    <message>
        <source>Start tasks again</source>
        <translation>Wieder Aufgaben starten</translation>
    </message>
    <message>
        <source>Start the run</source>
        <translation>Den Lauf starten</translation>
    </message>
    <message>
        <source>Stop comparing</source>
        <translation>Vergleich beenden</translation>
    </message>
    <message>
        <source>Stop them there no longer</source>
        <translation>Sie dort nicht mehr anhalten</translation>
    </message>
    <message>
        <source>Stop them where they would start, until they are released</source>
        <translation>Sie anhalten, wo sie starten würden, bis sie losgelassen werden</translation>
    </message>
    <message>
        <source>Suspend it no longer, and reach for it now if it is not connected</source>
        <translation>Es nicht länger aussetzen und jetzt verbinden, falls es nicht verbunden ist</translation>
    </message>
    <message>
        <source>Switch it off for new tasks</source>
        <translation>Für neue Aufgaben abschalten</translation>
    </message>
    <message>
        <source>Take back the last edit</source>
        <translation>Die letzte Änderung zurücknehmen</translation>
    </message>
    <message>
        <source>Take it out of the fleet</source>
        <translation>Aus der Flotte nehmen</translation>
    </message>
    <message>
        <source>Take the selected note away</source>
        <translation>Die ausgewählte Notiz wegnehmen</translation>
    </message>
    <message>
        <source>Take the selected tasks out of the groups they were put into</source>
        <translation>Die ausgewählten Aufgaben aus den Gruppen nehmen, in die sie gelegt wurden</translation>
    </message>
    <message>
        <source>Tasks that have waited for longer still start before it: %1.</source>
        <translation>Vor ihr starten noch Aufgaben, die länger gewartet haben: %1.</translation>
    </message>
    <message>
        <source>The attempt before may still run on %1: the new one would run beside it.</source>
        <translation>Der vorige Versuch läuft vielleicht noch auf %1: der neue liefe daneben.</translation>
    </message>
    <message>
        <source>There is no run.</source>
        <translation>Es gibt keinen Lauf.</translation>
    </message>
    <message>
        <source>Tidy</source>
        <translation>Aufräumen</translation>
    </message>
    <message>
        <source>Time travel</source>
        <translation>Zeitreise</translation>
    </message>
    <message>
        <source>Times in UTC</source>
        <translation>Zeiten in UTC</translation>
    </message>
    <message>
        <source>To the beginning</source>
        <translation>Zum Anfang</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation>Zum Ende</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Ungroup</source>
        <translation>Gruppierung aufheben</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Festlegung lösen</translation>
    </message>
    <message>
        <source>Which version this is</source>
        <translation>Welche Version das ist</translation>
    </message>
    <message>
        <source>Write a new task: behind the selected one, or into the selected dependency</source>
        <translation>Eine neue Aufgabe schreiben: hinter der ausgewählten oder in der ausgewählten Abhängigkeit</translation>
    </message>
    <message>
        <source>Write a note on the selected task, or in the middle of what is in sight</source>
        <translation>Eine Notiz an die gewählte Aufgabe schreiben, oder in die Mitte dessen, was zu sehen ist</translation>
    </message>
    <message>
        <source>Write the devices you added into a fleet file, and begin with them next time</source>
        <translation>Die Geräte, die Sie hinzugefügt haben, in eine Flottendatei schreiben und das nächste Mal mit ihnen beginnen</translation>
    </message>
    <message>
        <source>Write the selected note anew</source>
        <translation>Die ausgewählte Notiz neu schreiben</translation>
    </message>
    <message>
        <source>Write what the run has come to into a file: a report, tables, pictures</source>
        <translation>Was aus dem Lauf geworden ist, in eine Datei schreiben: als Bericht, Tabellen oder Bilder</translation>
    </message>
    <message>
        <source>continue go on resume retry ended</source>
        <translation>fortsetzen weiter wiederholen beendet erneut</translation>
    </message>
    <message>
        <source>description metadata fence placement notes overdue</source>
        <translation>Beschreibung Metadaten Zaun Platzierung Notizen überfällig</translation>
    </message>
    <message>
        <source>key claim book</source>
        <translation>Schlüssel belegen buchen sperren</translation>
    </message>
    <message>
        <source>new create insert node step job</source>
        <translation>neu neue anlegen erstellen einfügen Knoten Schritt Job</translation>
    </message>
    <message>
        <source>refresh disk changed</source>
        <translation>aktualisieren Platte geändert</translation>
    </message>
    <message>
        <source>release give back</source>
        <translation>freigeben zurückgeben</translation>
    </message>
    <message>
        <source>skip over pass through disable leave out</source>
        <translation>überspringen durchreichen abschalten auslassen umgehen</translation>
    </message>
    <message>
        <source>start paused later agent breakpoint</source>
        <translation>angehalten später starten Agent Haltepunkt</translation>
    </message>
</context>
<context>
    <name>AddDeviceDialog</name>
    <message>
        <source>%1 Nothing was added.</source>
        <translation>%1 Nichts wurde hinzugefügt.</translation>
    </message>
    <message>
        <source>%1 Nothing was changed.</source>
        <translation>%1 Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>%1 Nothing was noted.</source>
        <translation>%1 Nichts wurde vermerkt.</translation>
    </message>
    <message>
        <source>%1 shows another host key than the one that is trusted. Nothing was sent to it.</source>
        <translation>%1 zeigt einen anderen Host-Schlüssel als den, dem vertraut wird. Es wurde nichts dorthin gesendet.</translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) of runs that go on could be given to it now, and would count as done without having run.</source>
        <translation>
            <numerusform>%n Aufgabe laufender Läufe könnte ihm jetzt zugeteilt werden und gälte als erledigt, ohne gelaufen zu sein.</numerusform>
            <numerusform>%n Aufgaben laufender Läufe könnten ihm jetzt zugeteilt werden und gälten als erledigt, ohne gelaufen zu sein.</numerusform>
        </translation>
    </message>
    <message>
        <source>Add device</source>
        <translation>Gerät hinzufügen</translation>
    </message>
    <message>
        <source>Add it all the same</source>
        <translation>Trotzdem hinzufügen</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>Compare and replace…</source>
        <translation>Vergleichen und ersetzen …</translation>
    </message>
    <message>
        <source>Compare the host key to go on</source>
        <translation>Zum Fortfahren den Host-Schlüssel vergleichen</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindet …</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Text kopieren</translation>
    </message>
    <message>
        <source>Its name stays: tasks and limits name it.</source>
        <translation>Der Name bleibt: Aufgaben und Limits nennen es so.</translation>
    </message>
    <message>
        <source>Kind of device</source>
        <translation>Art des Geräts</translation>
    </message>
    <message>
        <source>Stop testing</source>
        <translation>Prüfung beenden</translation>
    </message>
    <message>
        <source>Test connection</source>
        <translation>Verbindung prüfen</translation>
    </message>
    <message>
        <source>The host key of %1 is not in known_hosts. Nothing was sent.</source>
        <translation>Der Schlüssel von %1 steht nicht in known_hosts. Nichts wurde gesendet.</translation>
    </message>
    <message>
        <source>Trust the key to go on</source>
        <translation>Dem Schlüssel vertrauen, um fortzufahren</translation>
    </message>
    <message>
        <source>Trust this key</source>
        <translation>Diesem Schlüssel vertrauen</translation>
    </message>
</context>
<context>
    <name>Adding</name>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>Add %1 %2</source>
        <translation>%1 %2 hinzufügen</translation>
    </message>
    <message>
        <source>after %1</source>
        <translation>nach %1</translation>
    </message>
    <message>
        <source>before %1</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>between %1 and %2</source>
        <translation>zwischen %1 und %2</translation>
    </message>
    <message>
        <source>without dependencies</source>
        <translation>ohne Abhängigkeiten</translation>
    </message>
</context>
<context>
    <name>AgentActions</name>
    <message>
        <source>No run is in front.</source>
        <translation>Kein Lauf ist im Vordergrund.</translation>
    </message>
    <message>
        <source>The run has ended.</source>
        <translation>Der Lauf ist beendet.</translation>
    </message>
</context>
<context>
    <name>AgentCounts</name>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n Sitzung</numerusform>
            <numerusform>%n Sitzungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n Token</numerusform>
            <numerusform>%n Tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AgentPage</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Ask it again, about what ends from now on</source>
        <translation>Ihn wieder fragen, zu allem, was von jetzt an endet</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Ändern …</translation>
    </message>
    <message>
        <source>Choose which of its edits wait for your approval</source>
        <translation>Wählen, welche seiner Änderungen auf Ihre Genehmigung warten</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Conversation · %1 tokens</source>
        <translation>Gespräch · %1 Tokens</translation>
    </message>
    <message>
        <source>Detach</source>
        <translation>Entlassen</translation>
    </message>
    <message>
        <source>Do not ask it until it is resumed; what it thinks about is given up</source>
        <translation>Ihn nicht fragen, bis er weitermachen darf; worüber er nachdenkt, wird aufgegeben</translation>
    </message>
    <message>
        <source>It has not been asked yet. What it answers as tasks end will stand here.</source>
        <translation>Er wurde noch nicht gefragt. Was er antwortet, wenn Aufgaben enden, wird hier stehen.</translation>
    </message>
    <message>
        <source>Let it have no part in the run any more; what it proposed stays</source>
        <translation>Ihn am Lauf nicht mehr teilhaben lassen; was er vorgeschlagen hat, bleibt</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Nothing has been said yet.</source>
        <translation>Noch wurde nichts gesagt.</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Starloom</source>
        <translation>Starloom</translation>
    </message>
    <message>
        <source>What is shown of the agent</source>
        <translation>Was von dem Agenten gezeigt wird</translation>
    </message>
</context>
<context>
    <name>AgentPlurals</name>
    <message numerus="yes">
        <source>%n given up</source>
        <translation>
            <numerusform>%n aufgegeben</numerusform>
            <numerusform>%n aufgegeben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n late</source>
        <translation>
            <numerusform>%n zu spät</numerusform>
            <numerusform>%n zu spät</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s) accepted</source>
        <translation>
            <numerusform>%n Vorschlag angenommen</numerusform>
            <numerusform>%n Vorschläge angenommen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused</source>
        <translation>
            <numerusform>%n abgewiesen</numerusform>
            <numerusform>%n abgewiesen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n round(s)</source>
        <translation>
            <numerusform>%n Runde</numerusform>
            <numerusform>%n Runden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) wait(s|) for you</source>
        <translation>
            <numerusform>%n Anfrage wartet auf Sie</numerusform>
            <numerusform>%n Anfragen warten auf Sie</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without an answer</source>
        <translation>
            <numerusform>%n ohne Antwort</numerusform>
            <numerusform>%n ohne Antwort</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Agents</name>
    <message>
        <source>%1 accepted</source>
        <translation>%1 angenommen</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>%1 applied</source>
        <translation>%1 angewandt</translation>
    </message>
    <message>
        <source>%1 dropped with the run</source>
        <translation>%1 mit dem Lauf verworfen</translation>
    </message>
    <message>
        <source>%1 expired</source>
        <translation>%1 verfallen</translation>
    </message>
    <message>
        <source>%1 if %2</source>
        <translation>%1, wenn %2</translation>
    </message>
    <message>
        <source>%1 of %2 accepted</source>
        <translation>%1 von %2 angenommen</translation>
    </message>
    <message>
        <source>%1 of %2 applied</source>
        <translation>%1 von %2 angewandt</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1 proposed</source>
        <translation>%1 vorgeschlagen</translation>
    </message>
    <message>
        <source>%1 proposes %2</source>
        <translation>%2 von %1</translation>
    </message>
    <message>
        <source>%1 refused</source>
        <translation>%1 abgewiesen</translation>
    </message>
    <message>
        <source>%1 rejected</source>
        <translation>%1 abgelehnt</translation>
    </message>
    <message>
        <source>%1 to approve</source>
        <translation>%1 zu genehmigen</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1, at %2</source>
        <translation>%1, um %2</translation>
    </message>
    <message>
        <source>%1, by %2 at %3</source>
        <translation>%1, von %2 um %3</translation>
    </message>
    <message>
        <source>%1, late</source>
        <translation>%1, zu spät</translation>
    </message>
    <message>
        <source>Agents edit runs as their tasks end. Start the plan to attach one.</source>
        <translation>Agenten ändern Läufe, während deren Aufgaben enden. Starten Sie den Plan, um einen hinzuzuziehen.</translation>
    </message>
    <message>
        <source>All its edits wait for your approval.</source>
        <translation>Alle seine Änderungen warten auf Ihre Zustimmung.</translation>
    </message>
    <message>
        <source>Detached</source>
        <translation>Entlassen</translation>
    </message>
    <message>
        <source>Detached: %1</source>
        <translation>Entlassen: %1</translation>
    </message>
    <message>
        <source>It is asked about %1.</source>
        <translation>Gefragt wird er zu %1.</translation>
    </message>
    <message>
        <source>It may add tasks, and change none that are there.</source>
        <translation>Er darf Aufgaben hinzufügen und keine vorhandene ändern.</translation>
    </message>
    <message>
        <source>It may change everything.</source>
        <translation>Er darf alles ändern.</translation>
    </message>
    <message>
        <source>It may change tasks of the groups %1.</source>
        <translation>Er darf Aufgaben der Gruppen %1 ändern.</translation>
    </message>
    <message>
        <source>It may change these tasks: %1.</source>
        <translation>Er darf diese Aufgaben ändern: %1.</translation>
    </message>
    <message>
        <source>It may change what depends on the ended task.</source>
        <translation>Er darf ändern, was von der beendeten Aufgabe abhängt.</translation>
    </message>
    <message>
        <source>It waits no more: it was answered or taken back.</source>
        <translation>Sie wartet nicht mehr: Sie wurde beantwortet oder zurückgezogen.</translation>
    </message>
    <message>
        <source>Its edits are applied at once.</source>
        <translation>Seine Änderungen werden sofort angewandt.</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Tasks start while agents are asked; an agent&apos;s terms say what becomes of edits that come too late.</source>
        <translation>Aufgaben starten, während Agenten gefragt werden; was aus zu späten Änderungen wird, ist mit jedem Agenten vereinbart.</translation>
    </message>
    <message>
        <source>Tasks start while agents are asked; an edit that comes too late is refused.</source>
        <translation>Aufgaben starten, während Agenten gefragt werden; eine Änderung, die zu spät kommt, wird abgewiesen.</translation>
    </message>
    <message>
        <source>Tasks that it changes as they run are stopped and run anew.</source>
        <translation>Laufende Aufgaben, die er ändert, werden angehalten und laufen neu.</translation>
    </message>
    <message>
        <source>The run has ended</source>
        <translation>Der Lauf ist beendet</translation>
    </message>
    <message>
        <source>The run has ended, so that nothing waits for an answer any more.</source>
        <translation>Der Lauf ist zu Ende, so dass nichts mehr auf eine Antwort wartet.</translation>
    </message>
    <message>
        <source>These wait for your approval: %1.</source>
        <translation>Diese warten auf Ihre Zustimmung: %1.</translation>
    </message>
    <message>
        <source>Thinking · %1</source>
        <translation>Denkt nach · %1</translation>
    </message>
    <message>
        <source>Thinking, and nobody waits for it</source>
        <translation>Denkt nach, und niemand wartet darauf</translation>
    </message>
    <message>
        <source>Watching</source>
        <translation>Sieht zu</translation>
    </message>
    <message>
        <source>What it did earlier is being read from the journal of the run.</source>
        <translation>Was er früher getan hat, wird aus dem Journal des Laufs gelesen.</translation>
    </message>
    <message>
        <source>What it did earlier is not known here: %1</source>
        <translation>Was er früher getan hat, ist hier nicht bekannt: %1</translation>
    </message>
    <message>
        <source>What it wants of tasks that have started is left out.</source>
        <translation>Was er an schon gestarteten Aufgaben ändern will, entfällt.</translation>
    </message>
    <message>
        <source>What it wants of tasks that run holds for their next attempt.</source>
        <translation>Was er an laufenden Aufgaben ändern will, gilt ab deren nächstem Versuch.</translation>
    </message>
    <message>
        <source>While agents are asked no task of this run starts; what runs goes on.</source>
        <translation>Während Agenten gefragt werden, startet keine Aufgabe dieses Laufs; was läuft, läuft weiter.</translation>
    </message>
    <message>
        <source>While agents are asked no task starts that depends on one they are asked about.</source>
        <translation>Während Agenten gefragt werden, startet keine Aufgabe, die von einer abhängt, um die es geht.</translation>
    </message>
    <message>
        <source>While agents are asked no task starts that one of them may change; without a scope that is any.</source>
        <translation>Während Agenten gefragt werden, beginnt keine Aufgabe, die einer von ihnen ändern darf; ohne Bereich ist das jede.</translation>
    </message>
    <message>
        <source>add dependencies</source>
        <translation>Abhängigkeiten hinzufügen</translation>
    </message>
    <message>
        <source>add tasks</source>
        <translation>Aufgaben hinzufügen</translation>
    </message>
    <message>
        <source>after %1</source>
        <translation>nach %1</translation>
    </message>
    <message>
        <source>approved in %1</source>
        <translation>angenommen in %1</translation>
    </message>
    <message>
        <source>change dependencies</source>
        <translation>Abhängigkeiten ändern</translation>
    </message>
    <message>
        <source>change tasks</source>
        <translation>Aufgaben ändern</translation>
    </message>
    <message>
        <source>completions of %1</source>
        <translation>Abschlüssen von %1</translation>
    </message>
    <message>
        <source>could not answer</source>
        <translation>konnte nicht antworten</translation>
    </message>
    <message>
        <source>dropped in %1</source>
        <translation>verfällt in %1</translation>
    </message>
    <message>
        <source>ends of %1</source>
        <translation>Enden von %1</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>alles</translation>
    </message>
    <message>
        <source>everything goes on</source>
        <translation>alles läuft weiter</translation>
    </message>
    <message>
        <source>everything goes on, late edits as agreed</source>
        <translation>alles läuft weiter, späte Änderungen wie vereinbart</translation>
    </message>
    <message>
        <source>failures of %1</source>
        <translation>Fehlschlägen von %1</translation>
    </message>
    <message>
        <source>gate %1</source>
        <translation>Freigabe %1</translation>
    </message>
    <message>
        <source>given up</source>
        <translation>aufgegeben</translation>
    </message>
    <message>
        <source>hold for its next attempt</source>
        <translation>gilt ab ihrem nächsten Versuch</translation>
    </message>
    <message>
        <source>leave the edit out</source>
        <translation>die Änderung entfällt</translation>
    </message>
    <message>
        <source>no change</source>
        <translation>keine Änderung</translation>
    </message>
    <message>
        <source>nothing starts</source>
        <translation>nichts startet</translation>
    </message>
    <message>
        <source>remove dependencies</source>
        <translation>Abhängigkeiten entfernen</translation>
    </message>
    <message>
        <source>remove tasks</source>
        <translation>Aufgaben entfernen</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>seit %1</translation>
    </message>
    <message>
        <source>skipped in %1</source>
        <translation>übersprungen in %1</translation>
    </message>
    <message>
        <source>stop the task and run it anew</source>
        <translation>die Aufgabe wird angehalten und läuft neu</translation>
    </message>
    <message>
        <source>tasks of limit groups</source>
        <translation>Aufgaben von Limitgruppen</translation>
    </message>
    <message>
        <source>tasks of these names</source>
        <translation>Aufgaben dieser Namen</translation>
    </message>
    <message>
        <source>the answer came late, so nothing waits for it</source>
        <translation>die Antwort kam spät, daher wartet nichts auf sie</translation>
    </message>
    <message>
        <source>the run ends in %1</source>
        <translation>der Lauf endet in %1</translation>
    </message>
    <message>
        <source>thinking</source>
        <translation>denkt nach</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>wartet seit %1</translation>
    </message>
    <message>
        <source>what depends on it waits</source>
        <translation>was davon abhängt, wartet</translation>
    </message>
    <message>
        <source>what depends on the ended task</source>
        <translation>was von der beendeten Aufgabe abhängt</translation>
    </message>
    <message>
        <source>what they may change waits</source>
        <translation>was sie ändern dürfen, wartet</translation>
    </message>
</context>
<context>
    <name>AgentsCorner</name>
    <message>
        <source>Add editing agent…</source>
        <translation>Bearbeitenden Agenten hinzufügen …</translation>
    </message>
    <message>
        <source>Let an agent edit the run as its tasks end</source>
        <translation>Einen Agenten den Lauf ändern lassen, während seine Aufgaben enden</translation>
    </message>
</context>
<context>
    <name>AgentsPane</name>
    <message>
        <source>Accept all</source>
        <translation>Alle annehmen</translation>
    </message>
    <message>
        <source>Add editing agent…</source>
        <translation>Bearbeitenden Agenten hinzufügen …</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Apply all proposals that wait and still fit, oldest first</source>
        <translation>Alle Vorschläge anwenden, die warten und noch passen, der älteste zuerst</translation>
    </message>
    <message>
        <source>Drop all proposals that wait</source>
        <translation>Alle wartenden Vorschläge verwerfen</translation>
    </message>
    <message>
        <source>Nothing here waits for you. Questions of tasks, gates and agents of this run stand here.</source>
        <translation>Hier wartet nichts auf Sie. Fragen von Aufgaben, Freigaben und Agenten dieses Laufs stehen hier.</translation>
    </message>
    <message>
        <source>Reject all</source>
        <translation>Alle ablehnen</translation>
    </message>
    <message>
        <source>The run has ended.</source>
        <translation>Der Lauf ist beendet.</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>Wartet auf Sie</translation>
    </message>
    <message>
        <source>What waits for you, and agents</source>
        <translation>Was auf Sie wartet, und Agenten</translation>
    </message>
</context>
<context>
    <name>Aligning</name>
    <message>
        <source>Align %1 at the bottom</source>
        <translation>%1 unten ausrichten</translation>
    </message>
    <message>
        <source>Align %1 at the top</source>
        <translation>%1 oben ausrichten</translation>
    </message>
    <message>
        <source>Align %1 left</source>
        <translation>%1 links ausrichten</translation>
    </message>
    <message>
        <source>Align %1 right</source>
        <translation>%1 rechts ausrichten</translation>
    </message>
    <message>
        <source>Centre %1 on one horizontal line</source>
        <translation>%1 auf einer waagerechten Linie zentrieren</translation>
    </message>
    <message>
        <source>Centre %1 on one vertical line</source>
        <translation>%1 auf einer senkrechten Linie zentrieren</translation>
    </message>
    <message>
        <source>Distribute %1 horizontally</source>
        <translation>%1 waagerecht verteilen</translation>
    </message>
    <message>
        <source>Distribute %1 vertically</source>
        <translation>%1 senkrecht verteilen</translation>
    </message>
    <message>
        <source>It takes three selected tasks or more to distribute them.</source>
        <translation>Zum Verteilen müssen mindestens drei Aufgaben ausgewählt sein.</translation>
    </message>
    <message>
        <source>It takes two selected tasks or more to align them.</source>
        <translation>Zum Ausrichten müssen mindestens zwei Aufgaben ausgewählt sein.</translation>
    </message>
    <message>
        <source>Some of these tasks lie over each other now.</source>
        <translation>Einige dieser Aufgaben liegen jetzt übereinander.</translation>
    </message>
    <message>
        <source>These tasks stand like that already.</source>
        <translation>Diese Aufgaben stehen schon so.</translation>
    </message>
</context>
<context>
    <name>AnswerBar</name>
    <message>
        <source>Why (may stay empty)</source>
        <translation>Warum (darf leer bleiben)</translation>
    </message>
    <message>
        <source>Why you accept or reject</source>
        <translation>Warum Sie annehmen oder ablehnen</translation>
    </message>
</context>
<context>
    <name>ApprovalPage</name>
    <message>
        <source>Accept</source>
        <translation>Annehmen</translation>
    </message>
    <message>
        <source>Accept %1 of %2</source>
        <translation>%1 von %2 annehmen</translation>
    </message>
    <message>
        <source>Apply all of these edits, in the agent&apos;s name</source>
        <translation>Alle diese Änderungen im Namen des Agenten anwenden</translation>
    </message>
    <message>
        <source>Apply what is ticked, in the agent&apos;s name, and drop the rest</source>
        <translation>Anwenden, was angehakt ist, im Namen des Agenten, und den Rest verwerfen</translation>
    </message>
    <message>
        <source>Drop all of these edits</source>
        <translation>Alle diese Änderungen verwerfen</translation>
    </message>
    <message>
        <source>It cannot be applied as the run is now. %1</source>
        <translation>So wie der Lauf jetzt ist, lässt es sich nicht anwenden. %1</translation>
    </message>
    <message>
        <source>It cannot be applied as the run is now. Leave out what does not fit, or reject it.</source>
        <translation>So, wie der Lauf jetzt ist, lässt es sich nicht anwenden. Lassen Sie aus, was nicht passt, oder lehnen Sie es ab.</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Scroll to its end first: it can be accepted once all of it was in sight.</source>
        <translation>Erst bis zum Ende blättern: Angenommen werden kann der Vorschlag, wenn alles davon zu sehen war.</translation>
    </message>
    <message>
        <source>What would be run</source>
        <translation>Was ausgeführt würde</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AttachAgent</name>
    <message>
        <source>A plan file whose rules are meant. It may hold nothing but “starloom: 1” and its rules.</source>
        <translation>Eine Plandatei, deren Regeln gemeint sind. Sie braucht nur „starloom: 1“ und ihre Regeln zu enthalten.</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Applies rules of the form “when a task ends so, make these edits”. No code runs.</source>
        <translation>Wendet Regeln der Form „endet eine Aufgabe so, mach diese Änderungen“ an. Kein Code läuft.</translation>
    </message>
    <message>
        <source>Asks a Python function in a process of its own. It may do whatever you may.</source>
        <translation>Fragt eine Python-Funktion in einem eigenen Prozess. Sie darf alles, was Sie dürfen.</translation>
    </message>
    <message>
        <source>Asks a language model. It is sent the graph and what ended tasks returned, and only proposes edits.</source>
        <translation>Fragt ein Sprachmodell. Es bekommt den Graphen und die Ergebnisse beendeter Aufgaben und schlägt nur Änderungen vor.</translation>
    </message>
    <message>
        <source>Empty: %1 of the run&apos;s own plan. Else a plan file whose rules are meant.</source>
        <translation>Leer: %1 des Plans dieses Laufs. Sonst eine Plandatei, deren Regeln gemeint sind.</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>Give a number above 0.</source>
        <translation>Geben Sie eine Zahl über 0 an.</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>It is called as function(view, finished) with the run and the tasks that have ended as plain dicts, and returns None or %1.</source>
        <translation>Sie wird als function(view, finished) aufgerufen, mit dem Lauf und den beendeten Aufgaben als einfachen dicts, und gibt None oder %1 zurück.</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>Sprachmodell</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>The key is read from %1 or from the keyring (service %2, user: the host). It is kept nowhere else.</source>
        <translation>Der Schlüssel wird aus %1 oder dem Schlüsselbund gelesen (Dienst %2, Benutzer: der Rechner). Er wird nirgendwo sonst aufbewahrt.</translation>
    </message>
    <message>
        <source>There is no folder %1.</source>
        <translation>Es gibt keinen Ordner %1.</translation>
    </message>
    <message>
        <source>This plan declares no rules; write them under “rules”.</source>
        <translation>Dieser Plan nennt keine Regeln; schreiben Sie sie unter „rules“.</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>Zeitlimit</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>What events call it, and whose edits they then are.</source>
        <translation>Wie ihn Ereignisse nennen, und von wem die Änderungen dann sind.</translation>
    </message>
    <message>
        <source>Where modules are looked for first; empty: where this program was started.</source>
        <translation>Wo Module zuerst gesucht werden; leer: wo dieses Programm gestartet wurde.</translation>
    </message>
    <message>
        <source>at most in this run</source>
        <translation>höchstens in diesem Lauf</translation>
    </message>
    <message>
        <source>e.g. qwen3</source>
        <translation>z. B. qwen3</translation>
    </message>
    <message>
        <source>rules of this plan</source>
        <translation>Regeln dieses Plans</translation>
    </message>
    <message>
        <source>s for one answer</source>
        <translation>s für eine Antwort</translation>
    </message>
    <message>
        <source>what the run is for, in words</source>
        <translation>wozu der Lauf dient, in Worten</translation>
    </message>
</context>
<context>
    <name>AttachAgentDialog</name>
    <message>
        <source>%1 No agent was added.</source>
        <translation>%1 Es wurde kein Agent hinzugefügt.</translation>
    </message>
    <message>
        <source>Add editing agent</source>
        <translation>Bearbeitenden Agenten hinzufügen</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Answered in %1</source>
        <translation>Antwort nach %1</translation>
    </message>
    <message>
        <source>Choose a file with rules</source>
        <translation>Datei mit Regeln wählen</translation>
    </message>
    <message>
        <source>Choose file…</source>
        <translation>Datei wählen …</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindet …</translation>
    </message>
    <message>
        <source>Kind of agent</source>
        <translation>Art des Agenten</translation>
    </message>
    <message>
        <source>Plans (*.yaml *.yml *.json)</source>
        <translation>Pläne (*.yaml *.yml *.json)</translation>
    </message>
    <message>
        <source>See whether the endpoint answers and has this model; costs nothing</source>
        <translation>Sehen, ob der Endpunkt antwortet und dieses Modell hat; kostet nichts</translation>
    </message>
    <message>
        <source>Stop testing</source>
        <translation>Prüfung beenden</translation>
    </message>
    <message>
        <source>Test connection</source>
        <translation>Verbindung prüfen</translation>
    </message>
    <message>
        <source>The endpoint answers, but does not list this model.</source>
        <translation>Der Endpunkt antwortet, nennt aber dieses Modell nicht.</translation>
    </message>
</context>
<context>
    <name>Attaching</name>
    <message>
        <source>Starloom %1 runs there, and here is an older version. Update this one.</source>
        <translation>Dort läuft Starloom %1, und hier ist eine ältere Version. Diese hier muss erneuert werden.</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>dieser Rechner</translation>
    </message>
</context>
<context>
    <name>AttemptButton</name>
    <message>
        <source>Always the last one</source>
        <translation>Immer der letzte</translation>
    </message>
    <message>
        <source>Attempt %1 of %2</source>
        <translation>Versuch %1 von %2</translation>
    </message>
    <message>
        <source>Attempt %1 · %2 · %3</source>
        <translation>Versuch %1 · %2 · %3</translation>
    </message>
    <message>
        <source>Attempt %1 · %2 · %3 · failed</source>
        <translation>Versuch %1 · %2 · %3 · fehlgeschlagen</translation>
    </message>
    <message>
        <source>Attempt %1 · %2 · running</source>
        <translation>Versuch %1 · %2 · läuft</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Show another attempt</source>
        <translation>Einen anderen Versuch zeigen</translation>
    </message>
</context>
<context>
    <name>AttemptsSection</name>
    <message numerus="yes">
        <source>%n earlier attempt(s)</source>
        <translation>
            <numerusform>%n früherer Versuch</numerusform>
            <numerusform>%n frühere Versuche</numerusform>
        </translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>Copy what attempt %1 left behind</source>
        <translation>Kopieren, was Versuch %1 hinterlassen hat</translation>
    </message>
    <message>
        <source>None yet. Each attempt will be listed here.</source>
        <translation>Noch keine. Jeder Versuch wird hier stehen.</translation>
    </message>
    <message>
        <source>What attempt %1 left behind</source>
        <translation>Was Versuch %1 hinterlassen hat</translation>
    </message>
</context>
<context>
    <name>Autosave</name>
    <message>
        <source>%1 cannot be written: %2. Save them yourself.</source>
        <translation>%1 ist nicht zu schreiben: %2. Bitte selbst speichern.</translation>
    </message>
    <message>
        <source>Unsaved plans would be lost in a crash</source>
        <translation>Ungespeicherte Pläne gingen bei einem Absturz verloren</translation>
    </message>
    <message>
        <source>What was kept of a plan is still there</source>
        <translation>Was von einem Plan aufbewahrt wurde, ist noch da</translation>
    </message>
    <message>
        <source>“%1” is not kept safe from a crash</source>
        <translation>„%1“ ist nicht vor einem Absturz gesichert</translation>
    </message>
    <message>
        <source>“%1” was not discarded</source>
        <translation>„%1“ wurde nicht verworfen</translation>
    </message>
</context>
<context>
    <name>Bell</name>
    <message numerus="yes">
        <source>%n unread notification(s)</source>
        <translation>
            <numerusform>%n ungelesene Benachrichtigung</numerusform>
            <numerusform>%n ungelesene Benachrichtigungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
</context>
<context>
    <name>BreakReservationDialog</name>
    <message>
        <source>%1 is not asked. Events and reports tell it.</source>
        <translation>%1 wird nicht gefragt. Ereignisse und Berichte nennen es.</translation>
    </message>
    <message>
        <source>Break reservation</source>
        <translation>Reservierung aufheben</translation>
    </message>
    <message>
        <source>Break the reservation of %1?</source>
        <translation>Reservierung aufheben: %1?</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
</context>
<context>
    <name>BulkEdit</name>
    <message>
        <source>No task is selected.</source>
        <translation>Keine Aufgabe ist ausgewählt.</translation>
    </message>
    <message>
        <source>Nothing depends on what is selected.</source>
        <translation>Nichts hängt von dem ab, was ausgewählt ist.</translation>
    </message>
    <message>
        <source>Nothing is open.</source>
        <translation>Nichts ist offen.</translation>
    </message>
    <message>
        <source>Nothing that is selected is bypassed.</source>
        <translation>Nichts Ausgewähltes wird überbrückt.</translation>
    </message>
    <message>
        <source>Set a breakpoint and rerun it: it can be changed while it is held there.</source>
        <translation>Setzen Sie einen Haltepunkt und wiederholen Sie sie: solange sie dort hält, lässt sie sich ändern.</translation>
    </message>
    <message>
        <source>What is selected depends on nothing.</source>
        <translation>Was ausgewählt ist, hängt von nichts ab.</translation>
    </message>
    <message>
        <source>What is selected is bypassed already.</source>
        <translation>Das Ausgewählte wird schon überbrückt.</translation>
    </message>
    <message>
        <source>“%1” has started or ended.</source>
        <translation>„%1“ hat begonnen oder ist beendet.</translation>
    </message>
</context>
<context>
    <name>BypassChip</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>CancelDialog</name>
    <message>
        <source>%1 not started</source>
        <translation>%1 nicht begonnen</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>%1 in Arbeit</translation>
    </message>
    <message>
        <source>Cancel run</source>
        <translation>Lauf abbrechen</translation>
    </message>
    <message>
        <source>Cancel “%1”?</source>
        <translation>„%1“ abbrechen?</translation>
    </message>
    <message>
        <source>Its tasks have ended; what agents propose for it is dropped</source>
        <translation>Seine Aufgaben sind zu Ende; was Agenten für ihn vorschlagen, wird verworfen</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Weiterlaufen lassen</translation>
    </message>
    <message>
        <source>What runs is stopped, and the rest is not started. This cannot be undone; tasks can be retried.</source>
        <translation>Was läuft, wird beendet, der Rest nicht begonnen. Das lässt sich nicht zurücknehmen; Aufgaben können wiederholt werden.</translation>
    </message>
</context>
<context>
    <name>Canvas</name>
    <message>
        <source> · %1</source>
        <translation> · %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 done</source>
        <translation>%1 fertig</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 of %2 done</source>
        <translation>%1 von %2 fertig</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 oder mehr</translation>
    </message>
    <message>
        <source>%1 running</source>
        <translation>%1 in Arbeit</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1, %2, %3</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Click: answer it in “Waits for you” (%1)</source>
        <translation>Klick: in „Wartet auf Sie“ beantworten (%1)</translation>
    </message>
    <message>
        <source>Click: its output (%1)</source>
        <translation>Klick: ihre Ausgabe (%1)</translation>
    </message>
    <message>
        <source>Click: the staged changes (%1)</source>
        <translation>Klick: die gesammelten Änderungen (%1)</translation>
    </message>
    <message>
        <source>Click: what is typed and not set, in the inspector (%1)</source>
        <translation>Klick: was geschrieben und nicht gesetzt ist, im Inspektor (%1)</translation>
    </message>
    <message>
        <source>Click: what it waits for, in “Waits for you” (%1)</source>
        <translation>Klick: worauf sie wartet, in „Wartet auf Sie“ (%1)</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Group %1, %2</source>
        <translation>Gruppe %1, %2</translation>
    </message>
    <message>
        <source>Group %1, %2, %3</source>
        <translation>Gruppe %1, %2, %3</translation>
    </message>
    <message>
        <source>Half a padlock: what depends on this task has started, so it can&apos;t be removed. Its fields can be edited.</source>
        <translation>Halbes Schloss: Was von dieser Aufgabe abhängt, hat begonnen, deshalb kann sie nicht entfernt werden. Ihre Felder lassen sich bearbeiten.</translation>
    </message>
    <message>
        <source>No two tasks of this graph are in a group.</source>
        <translation>Keine zwei Aufgaben dieses Graphen sind in einer Gruppe.</translation>
    </message>
    <message>
        <source>Note “%1”</source>
        <translation>Notiz „%1“</translation>
    </message>
    <message>
        <source>Padlock: this task has started, so no edit of it can be staged. Once it has ended, retry it in Live mode.</source>
        <translation>Schloss: Diese Aufgabe hat begonnen, deshalb lässt sich keine Änderung an ihr sammeln. Ist sie zu Ende, kann sie in Live wiederholt werden.</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Unfold the group to choose one of its tasks.</source>
        <translation>Die Gruppe aufklappen, um eine ihrer Aufgaben zu wählen.</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>longer</source>
        <translation>länger</translation>
    </message>
    <message>
        <source>others</source>
        <translation>andere</translation>
    </message>
    <message>
        <source>to 1 min</source>
        <translation>bis 1 min</translation>
    </message>
    <message>
        <source>to 10 min</source>
        <translation>bis 10 min</translation>
    </message>
    <message>
        <source>to 10 s</source>
        <translation>bis 10 s</translation>
    </message>
    <message>
        <source>under 1 s</source>
        <translation>unter 1 s</translation>
    </message>
</context>
<context>
    <name>CarriedOver</name>
    <message>
        <source> and %1 more</source>
        <translation> und %1 weitere</translation>
    </message>
    <message>
        <source>Still set from an earlier session</source>
        <translation>Noch gesetzt aus einer früheren Sitzung</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>disabled: %1</source>
        <translation>abgeschaltet: %1</translation>
    </message>
    <message>
        <source>drained: %1</source>
        <translation>leer gestellt: %1</translation>
    </message>
    <message>
        <source>with other slots: %1</source>
        <translation>mit anderer Zahl von Plätzen: %1</translation>
    </message>
</context>
<context>
    <name>ChangePlurals</name>
    <message numerus="yes">
        <source>Apply %n change(s)</source>
        <translation>
            <numerusform>%n Änderung anwenden</numerusform>
            <numerusform>%n Änderungen anwenden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChangedKeyDialog</name>
    <message>
        <source>%1 Nothing was replaced.</source>
        <translation>%1 Es wurde nichts ersetzt.</translation>
    </message>
    <message>
        <source>%1 shows another host key than the one that is trusted. Nothing was sent to it.</source>
        <translation>%1 zeigt einen anderen Host-Schlüssel als den, dem vertraut wird. Es wurde nichts dorthin gesendet.</translation>
    </message>
    <message>
        <source>Compare it first</source>
        <translation>Erst vergleichen</translation>
    </message>
    <message>
        <source>Compare what is shown now with what this command says on the machine itself, or ask whoever looks after it:</source>
        <translation>Vergleichen Sie, was jetzt gezeigt wird, mit dem, was dieser Befehl auf dem Rechner selbst ausgibt, oder fragen Sie, wer ihn betreut:</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Text kopieren</translation>
    </message>
    <message>
        <source>I have compared the fingerprint, and it is the same</source>
        <translation>Ich habe den Fingerabdruck verglichen, und er stimmt überein</translation>
    </message>
    <message>
        <source>Replace the trusted key</source>
        <translation>Vertrauten Schlüssel ersetzen</translation>
    </message>
    <message>
        <source>Shown now</source>
        <translation>Jetzt gezeigt</translation>
    </message>
    <message>
        <source>Somebody may have come between you and this machine, or another one has its address. It may also have been set up anew.</source>
        <translation>Jemand könnte sich zwischen Sie und diesen Rechner geschaltet haben, oder ein anderer hat seine Adresse. Vielleicht wurde er auch neu eingerichtet.</translation>
    </message>
    <message>
        <source>The host key of %1 has changed</source>
        <translation>Der Host-Schlüssel von %1 hat sich geändert</translation>
    </message>
    <message>
        <source>Trusted until now</source>
        <translation>Bisher vertraut</translation>
    </message>
</context>
<context>
    <name>Changes</name>
    <message>
        <source>%1
%2</source>
        <translation>%1
%2</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>Added: %1, %2</source>
        <translation>Hinzugefügt: %1, %2</translation>
    </message>
    <message>
        <source>Apply this with the others; Space leaves it out</source>
        <translation>Dies mit den anderen anwenden; die Leertaste lässt es aus</translation>
    </message>
    <message>
        <source>Apply “%1”</source>
        <translation>„%1“ anwenden</translation>
    </message>
    <message>
        <source>Changed: %1, %2</source>
        <translation>Geändert: %1, %2</translation>
    </message>
    <message>
        <source>Commit this in spite of what somebody else has changed</source>
        <translation>Das anwenden, auch wenn jemand anderes etwas geändert hat</translation>
    </message>
    <message>
        <source>Drop</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>Drop “%1”</source>
        <translation>„%1“ weglassen</translation>
    </message>
    <message>
        <source>Edits of a plan take effect at once. What is staged for a run stands here.</source>
        <translation>Änderungen eines Plans wirken sofort. Was für einen Lauf gesammelt ist, steht hier.</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>Meine behalten</translation>
    </message>
    <message>
        <source>Left out: %1</source>
        <translation>Ausgelassen: %1</translation>
    </message>
    <message>
        <source>Removed: %1, %2</source>
        <translation>Entfernt: %1, %2</translation>
    </message>
</context>
<context>
    <name>ChangesDialog</name>
    <message>
        <source>Apply to plan “%1”</source>
        <translation>Auf den Plan „%1“ anwenden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Text kopieren</translation>
    </message>
    <message>
        <source>These edits of “%1” would be carried over to the plan. The run stays as it is; the plan&apos;s file changes only when you save it.</source>
        <translation>Diese Änderungen von „%1“ würden in den Plan übernommen. Der Lauf bleibt, wie er ist; die Datei des Plans ändert sich erst beim Speichern.</translation>
    </message>
</context>
<context>
    <name>ChangesPane</name>
    <message>
        <source>Against revision %1</source>
        <translation>Gegenüber Revision %1</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message numerus="yes">
        <source>Drop %n that no longer fit(s|)</source>
        <translation>
            <numerusform>%n weglassen, die nicht mehr passt</numerusform>
            <numerusform>%n weglassen, die nicht mehr passen</numerusform>
        </translation>
    </message>
    <message>
        <source>Edits take effect at once. Staged ones will be listed here first.</source>
        <translation>Änderungen wirken sofort. Werden sie gesammelt, stehen sie zuerst hier.</translation>
    </message>
    <message>
        <source>Nothing is staged. What you edit will be listed here until it is committed.</source>
        <translation>Nichts ist gesammelt. Was geändert wird, steht hier, bis es angewandt wird.</translation>
    </message>
    <message>
        <source>Stage edits</source>
        <translation>Änderungen sammeln</translation>
    </message>
    <message>
        <source>when it was tried, %1</source>
        <translation>als es versucht wurde, %1</translation>
    </message>
</context>
<context>
    <name>ChecksSection</name>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>Fine</source>
        <translation>In Ordnung</translation>
    </message>
    <message>
        <source>Wrong</source>
        <translation>Nicht in Ordnung</translation>
    </message>
</context>
<context>
    <name>ChoiceActions</name>
    <message>
        <source>Add device: %1</source>
        <translation>Gerät hinzufügen: %1</translation>
    </message>
    <message>
        <source>No device is selected.</source>
        <translation>Kein Gerät ist ausgewählt.</translation>
    </message>
    <message>
        <source>No plan is in front.</source>
        <translation>Kein Plan ist vorn.</translation>
    </message>
    <message>
        <source>No selected task is pinned to a device.</source>
        <translation>Keine ausgewählte Aufgabe ist auf ein Gerät festgelegt.</translation>
    </message>
    <message>
        <source>No task is selected.</source>
        <translation>Keine Aufgabe ist ausgewählt.</translation>
    </message>
    <message>
        <source>Nothing that keeps a reason can be done now.</source>
        <translation>Jetzt geht nichts, was einen Grund behält.</translation>
    </message>
    <message>
        <source>tasks may have started there; remove the device instead</source>
        <translation>Aufgaben können dort gestartet sein; entfernen Sie stattdessen das Gerät</translation>
    </message>
</context>
<context>
    <name>ChooseRunDialog</name>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare with run</source>
        <translation>Mit Lauf vergleichen</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Which run of “%1” is to be compared with it?</source>
        <translation>Welcher Lauf von „%1“ soll damit verglichen werden?</translation>
    </message>
</context>
<context>
    <name>Chooser</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>It was never started.</source>
        <translation>Er wurde nie gestartet.</translation>
    </message>
    <message>
        <source>No run is in front.</source>
        <translation>Kein Lauf ist im Vordergrund.</translation>
    </message>
    <message>
        <source>Not compared with “%1”</source>
        <translation>Nicht mit „%1“ verglichen</translation>
    </message>
    <message>
        <source>Nothing is open.</source>
        <translation>Nichts ist offen.</translation>
    </message>
    <message>
        <source>The run is not compared with another one.</source>
        <translation>Der Lauf wird mit keinem anderen verglichen.</translation>
    </message>
    <message>
        <source>“%1” is compared up to where its journal is damaged</source>
        <translation>„%1“ wird bis dahin verglichen, wo sein Journal beschädigt ist</translation>
    </message>
</context>
<context>
    <name>Clipboard</name>
    <message>
        <source>Cut %1</source>
        <translation>%1 ausschneiden</translation>
    </message>
    <message>
        <source>Duplicate %1</source>
        <translation>%1 duplizieren</translation>
    </message>
    <message>
        <source>Nothing was copied</source>
        <translation>Nichts wurde kopiert</translation>
    </message>
    <message>
        <source>Nothing was cut</source>
        <translation>Nichts wurde ausgeschnitten</translation>
    </message>
    <message>
        <source>Nothing was pasted</source>
        <translation>Nichts wurde eingefügt</translation>
    </message>
    <message>
        <source>Paste %1</source>
        <translation>%1 einfügen</translation>
    </message>
    <message>
        <source>The clipboard holds no tasks.</source>
        <translation>Die Zwischenablage enthält keine Aufgaben.</translation>
    </message>
</context>
<context>
    <name>ClosingDialog</name>
    <message>
        <source>%1: %2 running, %3 to go</source>
        <translation>%1: %2 in Arbeit, %3 offen</translation>
    </message>
    <message>
        <source>%1: %3 to go</source>
        <translation>%1: %3 offen</translation>
    </message>
    <message>
        <source>%1: no task to go, waits for agents</source>
        <translation>%1: keine Aufgabe offen, wartet auf Agenten</translation>
    </message>
    <message>
        <source>%1: no task to go, waits for you</source>
        <translation>%1: keine Aufgabe offen, wartet auf Sie</translation>
    </message>
    <message>
        <source>%1: not started, %3 to go</source>
        <translation>%1: nicht gestartet, %3 offen</translation>
    </message>
    <message>
        <source>%1: paused, %2 running, %3 to go</source>
        <translation>%1: angehalten, %2 in Arbeit, %3 offen</translation>
    </message>
    <message>
        <source>%1: paused, %3 to go</source>
        <translation>%1: angehalten, %3 offen</translation>
    </message>
    <message>
        <source>Agents end with this window, and are not asked any more: %1.</source>
        <translation>Agenten enden mit diesem Fenster und werden nicht mehr gefragt: %1.</translation>
    </message>
    <message>
        <source>Cancelled, what runs is stopped, and nothing more of it starts before you reopen it.</source>
        <translation>Abgebrochen wird gestoppt, was läuft, und nichts weiter davon beginnt, bevor Sie es wieder öffnen.</translation>
    </message>
    <message>
        <source>Cancelled, what runs is stopped, and nothing of it can be resumed.</source>
        <translation>Abgebrochen wird gestoppt, was läuft, und nichts davon kann fortgesetzt werden.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close Starloom?</source>
        <translation>Starloom schließen?</translation>
    </message>
    <message>
        <source>Everything has ended meanwhile.</source>
        <translation>Inzwischen ist alles beendet.</translation>
    </message>
    <message>
        <source>Go on in the background</source>
        <translation>Im Hintergrund weiter</translation>
    </message>
    <message>
        <source>In the background, everything goes on, and is here when Starloom is opened again.</source>
        <translation>Im Hintergrund geht alles weiter und ist wieder hier, wenn Starloom erneut geöffnet wird.</translation>
    </message>
    <message>
        <source>Nothing is kept of these runs, so they cannot be resumed later.</source>
        <translation>Von diesen Läufen wird nichts aufbewahrt, sie lassen sich später nicht fortsetzen.</translation>
    </message>
    <message>
        <source>Nothing more is started. Starloom closes when what runs has ended; the rest can be resumed at the next start. Staying leaves the runs paused.</source>
        <translation>Es wird nichts mehr gestartet. Starloom schließt, wenn zu Ende ist, was läuft; der Rest kann beim nächsten Start fortgesetzt werden. Wer bleibt, lässt die Läufe angehalten.</translation>
    </message>
    <message>
        <source>Pause and close</source>
        <translation>Anhalten und schließen</translation>
    </message>
    <message>
        <source>Paused, what runs now ends first, and the rest can be resumed at the next start.</source>
        <translation>Angehalten endet zuerst, was jetzt läuft, und der Rest kann beim nächsten Start fortgesetzt werden.</translation>
    </message>
    <message>
        <source>Starloom closes as soon as everything has ended. Staying changes nothing.</source>
        <translation>Starloom schließt, sobald alles beendet ist. Bleiben ändert nichts.</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Bleiben</translation>
    </message>
    <message>
        <source>The runs are being handed over, and the window closes then.</source>
        <translation>Die Läufe werden übergeben, dann schließt sich das Fenster.</translation>
    </message>
    <message>
        <source>The tasks are being stopped; Starloom closes when the last one has ended.</source>
        <translation>Die Aufgaben werden gestoppt; Starloom schließt, wenn die letzte beendet ist.</translation>
    </message>
    <message>
        <source>These would be interrupted, and end first: %1. Nothing more is started until then; the rest goes on in the background. Staying goes on as before.</source>
        <translation>Diese würden unterbrochen und enden zuerst: %1. Bis dahin wird nichts mehr gestartet; der Rest geht im Hintergrund weiter. Wer bleibt, macht weiter wie zuvor.</translation>
    </message>
    <message>
        <source>Wait and close</source>
        <translation>Abwarten und schließen</translation>
    </message>
    <message>
        <source>What is staged stays staged.</source>
        <translation>Gesammelte Änderungen bleiben gesammelt.</translation>
    </message>
    <message>
        <source>What that would interrupt ends first, and nothing more is started until then: %1.</source>
        <translation>Was dadurch unterbrochen würde, endet zuerst, und bis dahin wird nichts mehr gestartet: %1.</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>Was soll geschehen?</translation>
    </message>
</context>
<context>
    <name>CommandPlurals</name>
    <message numerus="yes">
        <source>%n device(s) of its own</source>
        <translation>
            <numerusform>%n eigenes Gerät</numerusform>
            <numerusform>%n eigene Geräte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n different command(s)</source>
        <translation>
            <numerusform>%n Befehl</numerusform>
            <numerusform>%n verschiedene Befehle</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>%1 ahead of “%2”</source>
        <translation>%1 vor „%2“</translation>
    </message>
    <message>
        <source>%1 behind “%2”</source>
        <translation>%1 hinter „%2“</translation>
    </message>
    <message>
        <source>%1 faster than “%2”</source>
        <translation>%1 schneller als „%2“</translation>
    </message>
    <message>
        <source>%1 slower than “%2”</source>
        <translation>%1 langsamer als „%2“</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1: %2 → %3</translation>
    </message>
    <message>
        <source>%1: %2 → %3 (%4)</source>
        <translation>%1: %2 → %3 (%4)</translation>
    </message>
    <message>
        <source>As fast as “%1”</source>
        <translation>So schnell wie „%1“</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Compared with “%1”</source>
        <translation>Verglichen mit „%1“</translation>
    </message>
    <message>
        <source>Compared with “%1”, counted from the start</source>
        <translation>Verglichen mit „%1“, ab dem Start gezählt</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Done by now</source>
        <translation>Bis jetzt fertig</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Not in “%1”</source>
        <translation>Nicht in „%1“</translation>
    </message>
    <message>
        <source>Only in “%1”</source>
        <translation>Nur in „%1“</translation>
    </message>
    <message>
        <source>Only simulated</source>
        <translation>Nur simuliert</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>Gewartet</translation>
    </message>
    <message>
        <source>Ran for</source>
        <translation>Gelaufen</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Gestartet</translation>
    </message>
    <message>
        <source>Started at %1, ran for %2</source>
        <translation>Gestartet nach %1, lief %2</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauerte</translation>
    </message>
    <message>
        <source>done by now %2 → %1</source>
        <translation>bis jetzt fertig: %2 → %1</translation>
    </message>
    <message>
        <source>finish after %1 → %2</source>
        <translation>Ende nach %1 → %2</translation>
    </message>
    <message>
        <source>finish after %1 → ≈ %2</source>
        <translation>Ende nach %1 → ≈ %2</translation>
    </message>
    <message>
        <source>finish after %1 → ≈ %2 or longer</source>
        <translation>Ende nach %1 → ≈ %2 oder länger</translation>
    </message>
    <message>
        <source>it did not end; known for %1</source>
        <translation>er endete nicht; bekannt sind %1</translation>
    </message>
    <message>
        <source>it took %1</source>
        <translation>er dauerte %1</translation>
    </message>
    <message>
        <source>≈ %1</source>
        <translation>≈ %1</translation>
    </message>
    <message>
        <source>≈ %1 or longer</source>
        <translation>≈ %1 oder länger</translation>
    </message>
</context>
<context>
    <name>CompareDialog</name>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare with an earlier run</source>
        <translation>Mit früherem Lauf vergleichen</translation>
    </message>
    <message>
        <source>It goes on. It is compared as it stands now.</source>
        <translation>Er läuft noch. Er wird verglichen, wie er jetzt steht.</translation>
    </message>
    <message>
        <source>It was interrupted. It is compared as far as it came.</source>
        <translation>Er wurde unterbrochen. Er wird verglichen, soweit er kam.</translation>
    </message>
    <message>
        <source>It was never started.</source>
        <translation>Er wurde nie gestartet.</translation>
    </message>
    <message>
        <source>Its journal cannot be read.</source>
        <translation>Sein Journal ist nicht lesbar.</translation>
    </message>
    <message>
        <source>No earlier run of “%1” is kept.</source>
        <translation>Kein früherer Lauf von „%1“ ist aufbewahrt.</translation>
    </message>
    <message>
        <source>No run holds what you search for.</source>
        <translation>Kein Lauf enthält, was Sie suchen.</translation>
    </message>
    <message>
        <source>Only runs of “%1”</source>
        <translation>Nur Läufe von „%1“</translation>
    </message>
    <message>
        <source>Reading %1 of %2…</source>
        <translation>Liest %1 von %2 …</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Liest …</translation>
    </message>
    <message>
        <source>Runs of the same plan have its name</source>
        <translation>Läufe desselben Plans tragen seinen Namen</translation>
    </message>
    <message>
        <source>Select the run to compare with.</source>
        <translation>Wählen Sie den Lauf zum Vergleichen.</translation>
    </message>
    <message>
        <source>There is no earlier run. Every run is kept in %1.</source>
        <translation>Es gibt keinen früheren Lauf. Jeder Lauf wird in %1 aufbewahrt.</translation>
    </message>
    <message>
        <source>There is no run to select.</source>
        <translation>Es gibt keinen Lauf zur Auswahl.</translation>
    </message>
</context>
<context>
    <name>ComparedBanner</name>
    <message>
        <source>Compare no more (Escape)</source>
        <translation>Nicht mehr vergleichen (Escape)</translation>
    </message>
    <message>
        <source>Compared with “%1”</source>
        <translation>Verglichen mit „%1“</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen …</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
</context>
<context>
    <name>ComparedSection</name>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
</context>
<context>
    <name>ComparedStrip</name>
    <message>
        <source>Another run…</source>
        <translation>Anderer Lauf …</translation>
    </message>
    <message>
        <source>Compare with another run (Ctrl+Shift+D)</source>
        <translation>Mit einem anderen Lauf vergleichen (Strg+Umschalt+D)</translation>
    </message>
    <message>
        <source>Show this run alone again</source>
        <translation>Diesen Lauf wieder allein zeigen</translation>
    </message>
    <message>
        <source>Stop comparing</source>
        <translation>Vergleich beenden</translation>
    </message>
</context>
<context>
    <name>ConnectActions</name>
    <message>
        <source>%1 is not shown</source>
        <translation>%1 wird nicht gezeigt</translation>
    </message>
    <message>
        <source>No other window could be opened.</source>
        <translation>Es ließ sich kein weiteres Fenster öffnen.</translation>
    </message>
</context>
<context>
    <name>ConnectDialog</name>
    <message>
        <source>A server on another machine</source>
        <translation>Ein Server auf einem anderen Rechner</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Zuvor</translation>
    </message>
    <message>
        <source>By your own ssh, with its keys, jumps and known hosts.</source>
        <translation>Durch das eigene ssh, mit dessen Schlüsseln, Umwegen und bekannten Rechnern.</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindet …</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Give its whole path, such as /srv/journals.</source>
        <translation>Geben Sie den ganzen Pfad an, etwa /srv/journals.</translation>
    </message>
    <message>
        <source>In a window of its own, rather than in a tab of this one</source>
        <translation>In einem eigenen Fenster statt in einem Reiter von diesem</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Of the journals there, if they are not in their usual place.</source>
        <translation>Der Journale dort, falls sie nicht am üblichen Ort sind.</translation>
    </message>
    <message>
        <source>Of the journals, if they are not in their usual place: what `starloom serve` was told.</source>
        <translation>Der Journale, wenn sie nicht am üblichen Ort sind: wie es `starloom serve` gesagt wurde.</translation>
    </message>
    <message>
        <source>Reached: Starloom %1, %2</source>
        <translation>Erreicht: Starloom %1, %2</translation>
    </message>
    <message>
        <source>SSH</source>
        <translation>SSH</translation>
    </message>
    <message>
        <source>Shown beside what you change.</source>
        <translation>Er steht bei dem, was Sie ändern.</translation>
    </message>
    <message>
        <source>Start one</source>
        <translation>Einen starten</translation>
    </message>
    <message>
        <source>Starting a server…</source>
        <translation>Ein Server wird gestartet …</translation>
    </message>
    <message>
        <source>The server of your journals, or another console that has them</source>
        <translation>Der Server der eigenen Journale, oder eine andere Konsole, die sie hat</translation>
    </message>
    <message>
        <source>These are the runs of this window&apos;s own engine. Name the folder of another server.</source>
        <translation>Das sind die Läufe der eigenen Engine dieses Fensters. Nennen Sie den Ordner eines anderen Servers.</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Watch only: change nothing</source>
        <translation>Nur zusehen: nichts ändern</translation>
    </message>
    <message>
        <source>Where the server is</source>
        <translation>Wo der Server ist</translation>
    </message>
    <message>
        <source>Your name</source>
        <translation>Ihr Name</translation>
    </message>
    <message>
        <source>user@machine</source>
        <translation>name@rechner</translation>
    </message>
</context>
<context>
    <name>Connection</name>
    <message>
        <source>%1: %2. This is a defect of that kind of device.</source>
        <translation>%1: %2. Das ist ein Fehler dieser Art von Gerät.</translation>
    </message>
    <message>
        <source>It did not answer within %1.</source>
        <translation>Es hat innerhalb von %1 nicht geantwortet.</translation>
    </message>
    <message>
        <source>Reached in %1</source>
        <translation>Erreicht in %1</translation>
    </message>
    <message>
        <source>no worker is there yet</source>
        <translation>noch ist kein Worker da</translation>
    </message>
</context>
<context>
    <name>Console</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 (%2, waits for your answer)</source>
        <translation>%1 (%2, wartet auf Ihre Antwort)</translation>
    </message>
    <message>
        <source>The other Starloom has ended. `starloom ps` and other programs reach the runs of this one from now on. What is set here of devices and limits still holds until this program ends.</source>
        <translation>Das andere Starloom ist beendet. `starloom ps` und andere Programme erreichen von jetzt an die Läufe von diesem. Was hier an Geräten und Limits eingestellt ist, gilt weiterhin, bis dieses Programm endet.</translation>
    </message>
    <message>
        <source>the console is being closed</source>
        <translation>die Konsole wird geschlossen</translation>
    </message>
    <message>
        <source>the console was closed</source>
        <translation>die Konsole wurde geschlossen</translation>
    </message>
</context>
<context>
    <name>ConsoleStatusBar</name>
    <message>
        <source>Events that no view has been told yet</source>
        <translation>Ereignisse, von denen noch keine Ansicht weiß</translation>
    </message>
    <message>
        <source>How long a click would have to wait</source>
        <translation>Wie lange ein Klick warten müsste</translation>
    </message>
    <message>
        <source>How long the last picture took: over 16 ms it is not smooth</source>
        <translation>Wie lange das letzte Bild gebraucht hat: über 16 ms ruckelt es</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>Metrics at %1; a click copies the address</source>
        <translation>Metriken unter %1; ein Klick kopiert die Adresse</translation>
    </message>
    <message>
        <source>backlog %1</source>
        <translation>Rückstand %1</translation>
    </message>
    <message>
        <source>frame %1 ms</source>
        <translation>Bild %1 ms</translation>
    </message>
    <message>
        <source>loop %1 ms</source>
        <translation>Schleife %1 ms</translation>
    </message>
</context>
<context>
    <name>ContextMenus</name>
    <message>
        <source>Add task</source>
        <translation>Aufgabe hinzufügen</translation>
    </message>
    <message>
        <source>Add task after it</source>
        <translation>Aufgabe dahinter hinzufügen</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Zuklappen</translation>
    </message>
    <message>
        <source>Insert task</source>
        <translation>Aufgabe einfügen</translation>
    </message>
    <message>
        <source>Kind and condition…	Return</source>
        <translation>Art und Bedingung…	Eingabe</translation>
    </message>
    <message>
        <source>Move its beginning to another task</source>
        <translation>Anfang zu einer anderen Aufgabe führen</translation>
    </message>
    <message>
        <source>Move its end to another task</source>
        <translation>Ende zu einer anderen Aufgabe führen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Run on</source>
        <translation>Ausführen auf</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alle auswählen</translation>
    </message>
    <message>
        <source>There is no graph.</source>
        <translation>Es gibt keinen Graphen.</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>Aufklappen</translation>
    </message>
</context>
<context>
    <name>Controls</name>
    <message>
        <source>%1 · dependencies longer than one screen are hidden</source>
        <translation>%1 · Abhängigkeiten, die länger als ein Bildschirm sind, fehlen</translation>
    </message>
</context>
<context>
    <name>CountsSection</name>
    <message>
        <source>No task stands so.</source>
        <translation>Keine Aufgabe steht so.</translation>
    </message>
    <message>
        <source>Select these tasks</source>
        <translation>Diese Aufgaben auswählen</translation>
    </message>
</context>
<context>
    <name>DeviceCards</name>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
</context>
<context>
    <name>DeviceChanges</name>
    <message>
        <source>%1 was changed.</source>
        <translation>%1 wurde geändert.</translation>
    </message>
    <message>
        <source>%1 was not added again</source>
        <translation>%1 wurde nicht wieder hinzugefügt</translation>
    </message>
    <message>
        <source>%1 was not changed</source>
        <translation>%1 wurde nicht geändert</translation>
    </message>
    <message>
        <source>Change it back</source>
        <translation>Zurückändern</translation>
    </message>
    <message>
        <source>It is as it was in %1, and so the next time, unless you save the fleet there.</source>
        <translation>In %1 steht es, wie es war, und ist es beim nächsten Mal wieder, außer Sie speichern die Flotte dort.</translation>
    </message>
    <message>
        <source>Nothing here knows what %1 was made from.</source>
        <translation>Hier weiß nichts, woraus %1 gemacht wurde.</translation>
    </message>
    <message>
        <source>Remove it, and add it as it should be.</source>
        <translation>Entfernen Sie es, und fügen Sie es hinzu, wie es sein soll.</translation>
    </message>
</context>
<context>
    <name>DeviceOffer</name>
    <message numerus="yes">
        <source>%n task(s) can only run on %1, which the plan does not name.</source>
        <translation>
            <numerusform>%n Aufgabe kann nur auf %1 laufen, was der Plan nicht nennt.</numerusform>
            <numerusform>%n Aufgaben können nur auf %1 laufen, was der Plan nicht nennt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Put devices into the plan: %1</source>
        <translation>Geräte in den Plan aufnehmen: %1</translation>
    </message>
    <message>
        <source>Put into the plan</source>
        <translation>In den Plan aufnehmen</translation>
    </message>
    <message>
        <source>The plan names %1 now; undo takes that back.</source>
        <translation>Der Plan nennt jetzt %1; Rückgängig nimmt das zurück.</translation>
    </message>
</context>
<context>
    <name>Devices</name>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>%1 in the last minute</source>
        <translation>%1 in der letzten Minute</translation>
    </message>
    <message>
        <source>%1 of %2 GB</source>
        <translation>%1 von %2 GB</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 · again in %2</source>
        <translation>%1 · wieder in %2</translation>
    </message>
    <message>
        <source>%1 · device: %2 in a row</source>
        <translation>%1 · Gerät: %2 hintereinander</translation>
    </message>
    <message>
        <source>%1 · last heard %2 ago</source>
        <translation>%1 · zuletzt vor %2 gehört</translation>
    </message>
    <message>
        <source>A quotation mark is not closed.</source>
        <translation>Ein Anführungszeichen ist nicht geschlossen.</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Ask the agent for keys first</source>
        <translation>Zuerst den Agenten nach Schlüsseln fragen</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>CPU %1</source>
        <translation>CPU %1</translation>
    </message>
    <message>
        <source>Capabilities</source>
        <translation>Fähigkeiten</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Ändern …</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Compare host key…</source>
        <translation>Host-Schlüssel vergleichen …</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>Container</translation>
    </message>
    <message>
        <source>Corrections</source>
        <translation>Korrekturen</translation>
    </message>
    <message>
        <source>Dask</source>
        <translation>Dask</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Directory</source>
        <translation>Verzeichnis</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Encryption</source>
        <translation>Verschlüsselung</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>Fehlschläge</translation>
    </message>
    <message>
        <source>Give %1 or more.</source>
        <translation>Geben Sie %1 oder mehr an.</translation>
    </message>
    <message>
        <source>Give more than %1.</source>
        <translation>Geben Sie mehr als %1 an.</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>It is not used by “%1”. Choose another program above, or leave this empty.</source>
        <translation>„%1“ verwendet es nicht. Wählen Sie oben ein anderes Programm, oder lassen Sie es leer.</translation>
    </message>
    <message>
        <source>It takes any task that fits, and only acts as if it ran it: nothing is executed.</source>
        <translation>Es nimmt jede passende Aufgabe an und tut nur so, als führe es sie aus: Nichts wird ausgeführt.</translation>
    </message>
    <message>
        <source>Key agent</source>
        <translation>Schlüsselagent</translation>
    </message>
    <message>
        <source>Key file</source>
        <translation>Schlüsseldatei</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>Sprachmodell</translation>
    </message>
    <message>
        <source>Last heard</source>
        <translation>Zuletzt gehört</translation>
    </message>
    <message>
        <source>Last heard %1 ago</source>
        <translation>Zuletzt vor %1 gehört</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Of an endpoint that speaks OpenAI&apos;s wire format. Its key is in the keyring, as starloom-agent and the host, or in the variable STARLOOM_AGENT_KEY; a test spends no tokens.</source>
        <translation>Eines Endpunkts, der OpenAIs Format spricht. Sein Schlüssel liegt im Schlüsselbund, unter starloom-agent und dem Rechner, oder in der Variablen STARLOOM_AGENT_KEY; ein Test verbraucht keine Tokens.</translation>
    </message>
    <message>
        <source>Of the UFO server to which the agent is connected.</source>
        <translation>Die des UFO-Servers, mit dem der Agent verbunden ist.</translation>
    </message>
    <message>
        <source>Of the scheduler; each worker becomes a device. Empty: a cluster is started here.</source>
        <translation>Die des Schedulers; jeder Worker wird ein Gerät. Leer: hier wird ein Cluster gestartet.</translation>
    </message>
    <message>
        <source>Offers</source>
        <translation>Bietet</translation>
    </message>
    <message>
        <source>Others may read what is said on its way (http://)</source>
        <translation>Andere können unterwegs mitlesen (http://)</translation>
    </message>
    <message>
        <source>Others may read what is said on its way (ws://)</source>
        <translation>Andere dürfen unterwegs mitlesen (ws://)</translation>
    </message>
    <message>
        <source>Permissions</source>
        <translation>Erlaubnisse</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Reached by</source>
        <translation>Erreicht mit</translation>
    </message>
    <message>
        <source>Reserved by %1 · %2</source>
        <translation>Reserviert von %1 · %2</translation>
    </message>
    <message>
        <source>Reserved by you · %1</source>
        <translation>Von Ihnen reserviert · %1</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Führt aus</translation>
    </message>
    <message>
        <source>SSH</source>
        <translation>SSH</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Set slots…</source>
        <translation>Plätze festlegen …</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>Simuliert</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>Plätze</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Geschwindigkeit</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Suspend after</source>
        <translation>Aussetzen nach</translation>
    </message>
    <message>
        <source>Suspend for</source>
        <translation>Aussetzen für</translation>
    </message>
    <message>
        <source>System text</source>
        <translation>Systemtext</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Tasks see the engine&apos;s variables</source>
        <translation>Aufgaben sehen die Variablen der Engine</translation>
    </message>
    <message>
        <source>Tasks that ask for these may run here.</source>
        <translation>Aufgaben, die danach verlangen, dürfen hier laufen.</translation>
    </message>
    <message>
        <source>That it is lost, or cannot begin a task, is its own failure; what tasks do wrong is not.</source>
        <translation>Als sein Fehler zählt, wenn es verloren geht oder eine Aufgabe nicht beginnen kann; was Aufgaben falsch machen, zählt nicht.</translation>
    </message>
    <message>
        <source>The agent and its arguments. It speaks the Agent Client Protocol over its streams.</source>
        <translation>Der Agent und seine Argumente. Er spricht das Agent Client Protocol über seine Ein- und Ausgabe.</translation>
    </message>
    <message>
        <source>The container, phone, pod or system, as that program calls it.</source>
        <translation>Der Container, das Telefon, der Pod oder das System, wie dieses Programm es nennt.</translation>
    </message>
    <message>
        <source>The program is missing, with what stands before a command.</source>
        <translation>Das Programm fehlt, mit dem, was vor einem Befehl steht.</translation>
    </message>
    <message>
        <source>There is a device %1 already. Nothing was added. Choose another name.</source>
        <translation>Es gibt schon ein Gerät %1. Nichts wurde hinzugefügt. Bitte einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>There is no folder %1.</source>
        <translation>Es gibt keinen Ordner %1.</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Through</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>UFO agent</source>
        <translation>UFO-Agent</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>What calls functions there: its name or path on that machine.</source>
        <translation>Was dort Funktionen aufruft: sein Name oder Pfad auf jener Maschine.</translation>
    </message>
    <message>
        <source>What is answered when it asks; no command is allowed by itself. This confines nothing: an agent that does not ask is held back only by a container.</source>
        <translation>Was geantwortet wird, wenn er fragt; kein Befehl wird von selbst erlaubt. Das sperrt nichts ein: Einen Agenten, der nicht fragt, hält nur ein Container zurück.</translation>
    </message>
    <message>
        <source>What stands before each command where another program is chosen; no shell reads it.</source>
        <translation>Was vor jedem Befehl steht, wenn ein anderes Programm gewählt ist; keine Shell liest es.</translation>
    </message>
    <message>
        <source>What the UFO server calls it.</source>
        <translation>So nennt ihn der UFO-Server.</translation>
    </message>
    <message>
        <source>What the model is told before each prompt.</source>
        <translation>Was dem Modell vor jedem Prompt gesagt wird.</translation>
    </message>
    <message>
        <source>Where commands run unless a task says otherwise.</source>
        <translation>Wo Befehle laufen, wenn die Aufgabe nichts anderes sagt.</translation>
    </message>
    <message>
        <source>Where it works unless a task says otherwise.</source>
        <translation>Wo er arbeitet, wenn eine Aufgabe nichts anderes sagt.</translation>
    </message>
    <message>
        <source>Where the key is kept that the UFO server printed at its start; never the key.</source>
        <translation>Wo der Schlüssel liegt, den der UFO-Server beim Start ausgegeben hat; nie der Schlüssel selbst.</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>allow changing files in its directory</source>
        <translation>Ändern von Dateien in seinem Verzeichnis erlauben</translation>
    </message>
    <message>
        <source>allow reading files</source>
        <translation>Lesen von Dateien erlauben</translation>
    </message>
    <message>
        <source>another one lets other attempts fail</source>
        <translation>ein anderer lässt andere Versuche fehlschlagen</translation>
    </message>
    <message>
        <source>another program</source>
        <translation>ein anderes Programm</translation>
    </message>
    <message>
        <source>ask me each time</source>
        <translation>jedes Mal mich fragen</translation>
    </message>
    <message>
        <source>e.g. gpu</source>
        <translation>z. B. gpu</translation>
    </message>
    <message>
        <source>failures in a row; 0: never</source>
        <translation>Fehlern hintereinander; 0: nie</translation>
    </message>
    <message>
        <source>failures: %1</source>
        <translation>Fehlschläge: %1</translation>
    </message>
    <message>
        <source>heard %1 ago</source>
        <translation>vor %1 gehört</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>none; or keyring:NAME, env:NAME</source>
        <translation>keines; oder keyring:NAME, env:NAME</translation>
    </message>
    <message>
        <source>not told</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>nothing; or user@host:port</source>
        <translation>nichts; oder benutzer@rechner:port</translation>
    </message>
    <message>
        <source>of a cluster started here</source>
        <translation>eines hier gestarteten Clusters</translation>
    </message>
    <message>
        <source>of all attempts, 0 to 1</source>
        <translation>aller Versuche, 0 bis 1</translation>
    </message>
    <message>
        <source>prompts at once</source>
        <translation>Prompts gleichzeitig</translation>
    </message>
    <message>
        <source>reject all</source>
        <translation>alles ablehnen</translation>
    </message>
    <message>
        <source>seconds; twice as long each time it fails again</source>
        <translation>Sekunden; bei jedem erneuten Fehler doppelt so lange</translation>
    </message>
    <message>
        <source>sessions at once</source>
        <translation>Sitzungen zugleich</translation>
    </message>
    <message>
        <source>tasks at once</source>
        <translation>Aufgaben zugleich</translation>
    </message>
    <message>
        <source>tasks at once on a worker; empty: one a thread</source>
        <translation>Aufgaben zugleich auf einem Worker; leer: eine je Thread</translation>
    </message>
    <message>
        <source>tasks at once on each of them</source>
        <translation>Aufgaben zugleich auf jedem von ihnen</translation>
    </message>
    <message>
        <source>tasks at once; empty: one a processor</source>
        <translation>Aufgaben zugleich; leer: eine je Prozessor</translation>
    </message>
    <message>
        <source>tasks of other runs</source>
        <translation>Aufgaben anderer Läufe</translation>
    </message>
    <message>
        <source>tcp://host:8786</source>
        <translation>tcp://host:8786</translation>
    </message>
    <message>
        <source>the device: %1 in a row (%2)</source>
        <translation>das Gerät: %1 hintereinander (%2)</translation>
    </message>
    <message>
        <source>the engine&apos;s own</source>
        <translation>das der Engine</translation>
    </message>
    <message>
        <source>the engine&apos;s own, or the home there</source>
        <translation>das der Engine, oder das Heimverzeichnis dort</translation>
    </message>
    <message>
        <source>the home of the user there</source>
        <translation>das Heimverzeichnis dort</translation>
    </message>
    <message>
        <source>the name above</source>
        <translation>der Name oben</translation>
    </message>
    <message>
        <source>the same as here</source>
        <translation>derselbe wie hier</translation>
    </message>
    <message>
        <source>the usual ones</source>
        <translation>die üblichen</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>times as fast as estimated</source>
        <translation>mal so schnell wie geschätzt</translation>
    </message>
    <message>
        <source>what runs there goes on, and counts as lost in %1</source>
        <translation>was dort läuft, geht weiter und gilt in %1 als verloren</translation>
    </message>
    <message>
        <source>where an answer is not what its task expects</source>
        <translation>wo eine Antwort nicht ist, was die Aufgabe erwartet</translation>
    </message>
</context>
<context>
    <name>DevicesPanel</name>
    <message>
        <source>Add device</source>
        <translation>Gerät hinzufügen</translation>
    </message>
    <message>
        <source>Add device…</source>
        <translation>Gerät hinzufügen …</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>No devices yet.</source>
        <translation>Noch keine Geräte.</translation>
    </message>
</context>
<context>
    <name>Dialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Difference</name>
    <message>
        <source>%1 · on %2</source>
        <translation>%1 · auf %2</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1, %2 apart</source>
        <translation>%1, %2 auseinander</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Breakpoint</source>
        <translation>Haltepunkt</translation>
    </message>
    <message>
        <source>Bypass</source>
        <translation>Überbrücken</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Dependency · %1</source>
        <translation>Abhängigkeit · %1</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation>Schätzung</translation>
    </message>
    <message>
        <source>Expects</source>
        <translation>Erwartet</translation>
    </message>
    <message>
        <source>Fence</source>
        <translation>Zaun</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Gate</source>
        <translation>Freigabe</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>Zusammenführung</translation>
    </message>
    <message>
        <source>Limit groups</source>
        <translation>Limitgruppen</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>Limits</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Nodes stand elsewhere in the drawing</source>
        <translation>Knoten stehen in der Zeichnung woanders</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Permissions</source>
        <translation>Erlaubnisse</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Auftrag</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Requires</source>
        <translation>Verlangt</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schwere</translation>
    </message>
    <message>
        <source>Shell</source>
        <translation>Shell</translation>
    </message>
    <message>
        <source>Simulate</source>
        <translation>Simulation</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Task · %1</source>
        <translation>Aufgabe · %1</translation>
    </message>
    <message>
        <source>Timeout</source>
        <translation>Zeitlimit</translation>
    </message>
    <message>
        <source>Tips</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Upstream results</source>
        <translation>Ergebnisse der Vorgänger</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>When interrupted</source>
        <translation>Bei Unterbrechung</translation>
    </message>
    <message>
        <source>always</source>
        <translation>immer</translation>
    </message>
    <message>
        <source>another value</source>
        <translation>ein anderer Wert</translation>
    </message>
    <message>
        <source>if %1</source>
        <translation>wenn %1</translation>
    </message>
    <message>
        <source>its parents&apos; values</source>
        <translation>die Werte ihrer Vorgänger</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>on failure</source>
        <translation>bei Fehlschlag</translation>
    </message>
    <message>
        <source>on success</source>
        <translation>bei Erfolg</translation>
    </message>
    <message>
        <source>other notes</source>
        <translation>andere Notizen</translation>
    </message>
    <message>
        <source>rather %1</source>
        <translation>lieber %1</translation>
    </message>
    <message>
        <source>simulated %1</source>
        <translation>simuliert %1</translation>
    </message>
    <message>
        <source>waits for a person</source>
        <translation>wartet auf einen Menschen</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
</context>
<context>
    <name>DifferencePane</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Apply to plan…</source>
        <translation>Auf Plan anwenden …</translation>
    </message>
    <message>
        <source>Carry the run&apos;s edits back to its plan</source>
        <translation>Die Änderungen des Laufs in seinen Plan übernehmen</translation>
    </message>
    <message>
        <source>Compare no more (Escape)</source>
        <translation>Nicht mehr vergleichen (Escape)</translation>
    </message>
    <message>
        <source>Compared with “%1”</source>
        <translation>Verglichen mit „%1“</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen …</translation>
    </message>
    <message>
        <source>Devices that tasks were pinned to while it ran are not compared.</source>
        <translation>Geräte, auf die Aufgaben im Lauf festgelegt wurden, werden nicht verglichen.</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>The canvas shows what is staged, not the comparison.</source>
        <translation>Der Graph zeigt, was gesammelt ist, nicht den Vergleich.</translation>
    </message>
    <message>
        <source>The run&apos;s graph and the plan say the same.</source>
        <translation>Der Graph des Laufs und der Plan sagen dasselbe.</translation>
    </message>
    <message>
        <source>What differs from the plan</source>
        <translation>Was vom Plan abweicht</translation>
    </message>
</context>
<context>
    <name>DifferenceText</name>
    <message>
        <source>Left output</source>
        <translation>Linke Ausgabe</translation>
    </message>
    <message>
        <source>Right output</source>
        <translation>Rechte Ausgabe</translation>
    </message>
</context>
<context>
    <name>Dock</name>
    <message>
        <source>Move to a window of its own</source>
        <translation>In ein eigenes Fenster legen</translation>
    </message>
    <message>
        <source>Put back into the main window</source>
        <translation>Ins Hauptfenster zurücklegen</translation>
    </message>
</context>
<context>
    <name>DocumentView</name>
    <message>
        <source>%1 (removed)</source>
        <translation>%1 (entfernt)</translation>
    </message>
    <message>
        <source>%1 has removed %2.</source>
        <translation>%1 hat %2 entfernt.</translation>
    </message>
    <message>
        <source>%1 is back. What you typed in “%2” is in its field again, and not set yet.</source>
        <translation>%1 ist wieder da. Was in „%2“ geschrieben war, steht wieder in seinem Feld und ist noch nicht gesetzt.</translation>
    </message>
    <message>
        <source>%1 was removed.</source>
        <translation>%1 wurde entfernt.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Condition of %1</source>
        <translation>Bedingung von %1</translation>
    </message>
    <message>
        <source>Copy what was typed</source>
        <translation>Geschriebenes kopieren</translation>
    </message>
    <message>
        <source>New task “%1”</source>
        <translation>Neue Aufgabe „%1“</translation>
    </message>
    <message>
        <source>Not shown</source>
        <translation>Nicht gezeigt</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Note for “%1”</source>
        <translation>Anmerkung zu „%1“</translation>
    </message>
    <message>
        <source>Only the plan has this task.</source>
        <translation>Nur der Plan hat diese Aufgabe.</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>The condition of %1 is typed and not set. Set it with Enter, or take it back with Esc, first.</source>
        <translation>Die Bedingung von %1 ist getippt, aber nicht gesetzt. Setzen Sie sie erst mit Enter, oder nehmen Sie sie mit Esc zurück.</translation>
    </message>
    <message>
        <source>What is typed in “%1” of %2 is not set. Mend it, or take it back with Esc, first.</source>
        <translation>Was in „%1“ von %2 getippt ist, ist nicht gesetzt. Berichtigen Sie es erst, oder nehmen Sie es mit Esc zurück.</translation>
    </message>
    <message>
        <source>What you typed in “%1” was not set; it is kept, and comes back with the task.</source>
        <translation>Was in „%1“ geschrieben war, wurde nicht gesetzt; es bleibt erhalten und kommt mit der Aufgabe zurück.</translation>
    </message>
</context>
<context>
    <name>DraftField</name>
    <message>
        <source>Enter: add · Esc: no task</source>
        <translation>Enter: hinzufügen · Esc: keine Aufgabe</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name of the task</source>
        <translation>Name der Aufgabe</translation>
    </message>
    <message>
        <source>New task</source>
        <translation>Neue Aufgabe</translation>
    </message>
    <message>
        <source>Not added yet · %1</source>
        <translation>Noch nicht hinzugefügt · %1</translation>
    </message>
    <message>
        <source>Tab: %1 · Enter: add · Esc: no task</source>
        <translation>Tab: %1 · Enter: hinzufügen · Esc: keine Aufgabe</translation>
    </message>
    <message>
        <source>This task is not added yet. Enter adds it, Esc drops it; then the next one can begin.</source>
        <translation>Diese Aufgabe ist noch nicht hinzugefügt. Enter fügt sie hinzu, Esc verwirft sie; dann kann die nächste beginnen.</translation>
    </message>
</context>
<context>
    <name>Drafting</name>
    <message>
        <source>It becomes a Shell task: a Command takes ; &amp; | &lt; &gt; as arguments. Quote them to stay.</source>
        <translation>Wird eine Shell-Aufgabe: Ein Befehl nimmt ; &amp; | &lt; &gt; als Argumente. In Anführungszeichen bleibt es einer.</translation>
    </message>
</context>
<context>
    <name>Drops</name>
    <message>
        <source>A template is one task.</source>
        <translation>Eine Vorlage ist eine einzelne Aufgabe.</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>Nothing was added</source>
        <translation>Nichts wurde hinzugefügt</translation>
    </message>
    <message>
        <source>Paste %1</source>
        <translation>%1 einfügen</translation>
    </message>
</context>
<context>
    <name>EarlierRuns</name>
    <message>
        <source>A server goes on with its runs by itself.</source>
        <translation>Ein Server setzt seine Läufe selbst fort.</translation>
    </message>
    <message>
        <source>Open a console without a connection to go on with runs of your own.</source>
        <translation>Öffnen Sie eine Konsole ohne Verbindung, um eigene Läufe fortzusetzen.</translation>
    </message>
</context>
<context>
    <name>EarlyStartsQuestion</name>
    <message>
        <source>%1 would start at once: nothing else keeps it waiting. What has started cannot be undone.</source>
        <translation>%1 würde sofort starten: Sonst hält nichts sie auf. Was gestartet ist, lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>%1 would start at once: nothing else keeps them waiting. What has started cannot be undone.</source>
        <translation>%1 würden sofort starten: Sonst hält nichts sie auf. Was gestartet ist, lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>%1?</source>
        <translation>%1?</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Let it start</source>
        <translation>Starten lassen</translation>
    </message>
    <message>
        <source>Let them start</source>
        <translation>Starten lassen</translation>
    </message>
    <message>
        <source>Remove and reconnect</source>
        <translation>Entfernen und neu verbinden</translation>
    </message>
</context>
<context>
    <name>EdgeCard</name>
    <message>
        <source>%1 set %2</source>
        <translation>%1 setzte %2</translation>
    </message>
    <message>
        <source>%1 was overwritten.</source>
        <translation>%1 wurde überschrieben.</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>Dependency</source>
        <translation>Abhängigkeit</translation>
    </message>
    <message>
        <source>Enter gives it “%1”; Esc leaves “%2”.</source>
        <translation>Enter macht daraus „%1“; Esc lässt „%2“.</translation>
    </message>
    <message>
        <source>Failure</source>
        <translation>Fehlschlag</translation>
    </message>
    <message>
        <source>Remove this dependency</source>
        <translation>Diese Abhängigkeit entfernen</translation>
    </message>
    <message>
        <source>Remove this dependency (Delete)</source>
        <translation>Diese Abhängigkeit entfernen (Entf)</translation>
    </message>
    <message>
        <source>Set to %1</source>
        <translation>Gesetzt auf %1</translation>
    </message>
    <message>
        <source>Success</source>
        <translation>Erfolg</translation>
    </message>
    <message>
        <source>This dependency is gone.</source>
        <translation>Diese Abhängigkeit gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>Typed, not set: Enter sets it, Esc drops it.</source>
        <translation>Getippt, nicht gesetzt: Enter setzt es, Esc verwirft es.</translation>
    </message>
    <message>
        <source>What must hold of the parent once it has ended, also if it failed or was rejected.
It knows %1.
For example:
exit_code == 0
status == &quot;completed&quot; &amp;&amp; duration &lt; 900
output.contains(&quot;done&quot;) || output.startsWith(&quot;ok&quot;)
value.score &gt; 0.8 &amp;&amp; attempts &lt; 3
size(value.items) &gt; 0</source>
        <translation>Was für den Vorgänger gelten muss, wenn er geendet hat, auch wenn er fehlgeschlagen ist oder abgelehnt wurde.
Bekannt sind %1.
Zum Beispiel:
exit_code == 0
status == &quot;completed&quot; &amp;&amp; duration &lt; 900
output.contains(&quot;done&quot;) || output.startsWith(&quot;ok&quot;)
value.score &gt; 0.8 &amp;&amp; attempts &lt; 3
size(value.items) &gt; 0</translation>
    </message>
    <message>
        <source>Write a condition, e.g. value.score &gt; 0.8.</source>
        <translation>Eine Bedingung angeben, z. B. value.score &gt; 0.8.</translation>
    </message>
    <message>
        <source>no condition</source>
        <translation>keine Bedingung</translation>
    </message>
</context>
<context>
    <name>EditActions</name>
    <message>
        <source>%1 “%2”</source>
        <translation>%1 „%2“</translation>
    </message>
    <message>
        <source>Edits of a plan take effect at once.</source>
        <translation>Änderungen eines Plans gelten sofort.</translation>
    </message>
    <message>
        <source>No task is selected.</source>
        <translation>Keine Aufgabe ist ausgewählt.</translation>
    </message>
    <message>
        <source>Nothing is open.</source>
        <translation>Nichts ist geöffnet.</translation>
    </message>
    <message>
        <source>Nothing is staged.</source>
        <translation>Nichts ist gesammelt.</translation>
    </message>
    <message>
        <source>Nothing to redo.</source>
        <translation>Nichts wiederherzustellen.</translation>
    </message>
    <message>
        <source>Nothing to undo.</source>
        <translation>Nichts rückgängig zu machen.</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>“%1” is carried out at once. What is staged waits for its commit.</source>
        <translation>„%1“ wird sofort ausgeführt. Was gesammelt ist, wartet, bis es angewendet wird.</translation>
    </message>
    <message>
        <source>“%1” stays, and the step before it is next: %2</source>
        <translation>„%1“ bleibt, und der Schritt davor ist der nächste: %2</translation>
    </message>
</context>
<context>
    <name>EditPlurals</name>
    <message numerus="yes">
        <source>%n dependenc(y|ies)</source>
        <translation>
            <numerusform>%n Abhängigkeit</numerusform>
            <numerusform>%n Abhängigkeiten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n no longer fit(s|)</source>
        <translation>
            <numerusform>%n passt nicht mehr</numerusform>
            <numerusform>%n passen nicht mehr</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n staged change(s)</source>
        <translation>
            <numerusform>%n gesammelte Änderung</numerusform>
            <numerusform>%n gesammelte Änderungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Commit %n change(s)</source>
        <translation>
            <numerusform>%n Änderung anwenden</numerusform>
            <numerusform>%n Änderungen anwenden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Commit of %n change(s)</source>
        <translation>
            <numerusform>Anwenden von %n Änderung</numerusform>
            <numerusform>Anwenden von %n Änderungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Discard of %n change(s)</source>
        <translation>
            <numerusform>Verwerfen von %n Änderung</numerusform>
            <numerusform>Verwerfen von %n Änderungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EditWiring</name>
    <message>
        <source>Connect to a task before</source>
        <translation>Mit einer Aufgabe davor verbinden</translation>
    </message>
    <message>
        <source>Connect to a task behind</source>
        <translation>Mit einer Aufgabe danach verbinden</translation>
    </message>
    <message>
        <source>Copy tasks</source>
        <translation>Aufgaben kopieren</translation>
    </message>
    <message>
        <source>Cut tasks</source>
        <translation>Aufgaben ausschneiden</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Paste with outside dependencies</source>
        <translation>Mit Abhängigkeiten nach außen einfügen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove and reconnect</source>
        <translation>Entfernen und neu verbinden</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
</context>
<context>
    <name>Editing</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 earlier</source>
        <translation>%1 früher</translation>
    </message>
    <message>
        <source>%1 is no longer there.</source>
        <translation>%1 ist nicht mehr da.</translation>
    </message>
    <message>
        <source>%1 later</source>
        <translation>%1 später</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 · timeout %2</source>
        <translation>%1 · Zeitlimit %2</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1+</source>
        <translation>%1+</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>A change with a retry takes effect at once and cannot be staged.</source>
        <translation>Eine Änderung mit Wiederholung wirkt sofort und lässt sich nicht sammeln.</translation>
    </message>
    <message>
        <source>A cycle would be closed</source>
        <translation>Ein Zyklus würde geschlossen</translation>
    </message>
    <message>
        <source>A task that has started would be touched</source>
        <translation>Eine schon gestartete Aufgabe wäre betroffen</translation>
    </message>
    <message>
        <source>Add one before you start it.</source>
        <translation>Fügen Sie eine hinzu, bevor Sie ihn starten.</translation>
    </message>
    <message>
        <source>Agents may take: %1 s</source>
        <translation>Zeit für Agenten: %1 s</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>Change %1 of %2</source>
        <translation>%1 von %2 ändern</translation>
    </message>
    <message>
        <source>Change and retry %1</source>
        <translation>%1 ändern und erneut versuchen</translation>
    </message>
    <message>
        <source>Change it by hand if that is not what you want.</source>
        <translation>Ändern Sie sie von Hand, wenn Sie das nicht wollen.</translation>
    </message>
    <message>
        <source>Devices fit: %1</source>
        <translation>Passende Geräte: %1</translation>
    </message>
    <message>
        <source>Devices in use</source>
        <translation>Belegte Geräte</translation>
    </message>
    <message>
        <source>Failures expected</source>
        <translation>Erwartete Fehlschläge</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>It acts at once: only edits are staged.</source>
        <translation>Wirkt sofort: Nur Bearbeitungen werden gesammelt.</translation>
    </message>
    <message>
        <source>It is an edit of another run.</source>
        <translation>Es ist eine Änderung eines anderen Laufs.</translation>
    </message>
    <message>
        <source>Limit of all runs: %1</source>
        <translation>Limit aller Läufe: %1</translation>
    </message>
    <message>
        <source>Limit of group %1: %2</source>
        <translation>Limit der Gruppe %1: %2</translation>
    </message>
    <message>
        <source>Limit of this run: %1</source>
        <translation>Limit dieses Laufs: %1</translation>
    </message>
    <message>
        <source>Limit of this run: none</source>
        <translation>Limit dieses Laufs: keines</translation>
    </message>
    <message>
        <source>Longest queue: %1</source>
        <translation>Längste Schlange: %1</translation>
    </message>
    <message>
        <source>Move device</source>
        <translation>Wechseln das Gerät</translation>
    </message>
    <message>
        <source>No cycle</source>
        <translation>Kein Zyklus</translation>
    </message>
    <message>
        <source>No device fits %1</source>
        <translation>Kein Gerät passt zu %1</translation>
    </message>
    <message>
        <source>No running task touched</source>
        <translation>Keine laufende Aufgabe betroffen</translation>
    </message>
    <message>
        <source>Overdue factor: %1</source>
        <translation>Überfällig ab Faktor: %1</translation>
    </message>
    <message>
        <source>Placement: %1</source>
        <translation>Platzierung: %1</translation>
    </message>
    <message>
        <source>Revert revision %1 by %2</source>
        <translation>Revision %1 von %2 zurücknehmen</translation>
    </message>
    <message>
        <source>Revert that first.</source>
        <translation>Nehmen Sie erst diese zurück.</translation>
    </message>
    <message>
        <source>Slots of %1: %2</source>
        <translation>Plätze von %1: %2</translation>
    </message>
    <message>
        <source>Somebody else has changed the same</source>
        <translation>Jemand anderes hat dasselbe geändert</translation>
    </message>
    <message>
        <source>Starvation time-out: %1 s</source>
        <translation>Höchste Wartezeit: %1 s</translation>
    </message>
    <message>
        <source>Steer it by hand if that is not what you want.</source>
        <translation>Falls das nicht gewünscht ist, von Hand steuern.</translation>
    </message>
    <message>
        <source>That reservation would have ended by now.</source>
        <translation>Diese Reservierung wäre inzwischen beendet.</translation>
    </message>
    <message>
        <source>The limit of this run has been changed otherwise since.</source>
        <translation>Das Limit dieses Laufs ist seither anders gesetzt worden.</translation>
    </message>
    <message>
        <source>The plan has no tasks.</source>
        <translation>Der Plan hat keine Aufgaben.</translation>
    </message>
    <message>
        <source>The reservation of %1 is another one by now.</source>
        <translation>Die Reservierung ist inzwischen eine andere: %1.</translation>
    </message>
    <message>
        <source>The same was changed again since, in revision %1 by %2.</source>
        <translation>Dasselbe wurde seitdem wieder geändert, in Revision %1 von %2.</translation>
    </message>
    <message>
        <source>This limit has been changed otherwise since.</source>
        <translation>Dieses Limit wurde inzwischen anders gesetzt.</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>Restzeit</translation>
    </message>
    <message>
        <source>Turn to Live to change this task and run it again.</source>
        <translation>Schalten Sie auf Live, um diese Aufgabe zu ändern und zu wiederholen.</translation>
    </message>
    <message>
        <source>Would be skipped</source>
        <translation>Würden übersprungen</translation>
    </message>
    <message>
        <source>Would start at once: %1</source>
        <translation>Würde sofort starten: %1</translation>
    </message>
    <message>
        <source>a new attempt has been asked for</source>
        <translation>ein neuer Versuch wurde verlangt</translation>
    </message>
    <message>
        <source>as before</source>
        <translation>wie zuvor</translation>
    </message>
    <message>
        <source>dependency</source>
        <translation>Abhängigkeit</translation>
    </message>
    <message>
        <source>earlier results were given up</source>
        <translation>frühere Ergebnisse wurden aufgegeben</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>zu Ende</translation>
    </message>
    <message>
        <source>it has left the fleet, and can only be added again</source>
        <translation>es hat die Flotte verlassen und kann nur wieder hinzugefügt werden</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>only whoever had reserved it can reserve it again</source>
        <translation>nur wer es reserviert hatte, kann es wieder reservieren</translation>
    </message>
    <message>
        <source>task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>task on %1</source>
        <translation>Aufgabe auf %1</translation>
    </message>
    <message>
        <source>tasks may have started because of it</source>
        <translation>Aufgaben können deswegen schon angefangen haben</translation>
    </message>
    <message>
        <source>the device had no limit of slots</source>
        <translation>das Gerät hatte kein Limit für Plätze</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>what depends on it may have started</source>
        <translation>was davon abhängt, kann schon angefangen haben</translation>
    </message>
    <message>
        <source>what was cancelled cannot go on</source>
        <translation>was abgebrochen wurde, kann nicht weiterlaufen</translation>
    </message>
    <message>
        <source>what was skipped had started</source>
        <translation>was übersprungen wurde, hatte schon angefangen</translation>
    </message>
    <message>
        <source>“%1” has been steered otherwise since.</source>
        <translation>„%1“ wurde seither anders gesteuert.</translation>
    </message>
    <message>
        <source>“%1” is not there any more.</source>
        <translation>„%1“ gibt es nicht mehr.</translation>
    </message>
</context>
<context>
    <name>EditingVerbs</name>
    <message>
        <source>Name of the group</source>
        <translation>Name der Gruppe</translation>
    </message>
    <message>
        <source>No task is selected.</source>
        <translation>Keine Aufgabe ist ausgewählt.</translation>
    </message>
    <message>
        <source>None of the selected tasks was put into a group.</source>
        <translation>Keine der ausgewählten Aufgaben wurde in eine Gruppe gelegt.</translation>
    </message>
    <message>
        <source>There is no graph.</source>
        <translation>Es gibt keinen Graphen.</translation>
    </message>
    <message>
        <source>There is no run.</source>
        <translation>Es gibt keinen Lauf.</translation>
    </message>
    <message>
        <source>Unfold the group to rename one of its tasks.</source>
        <translation>Die Gruppe aufklappen, um eine ihrer Aufgaben umzubenennen.</translation>
    </message>
</context>
<context>
    <name>EffectSection</name>
    <message>
        <source>Effect</source>
        <translation>Wirkung</translation>
    </message>
    <message>
        <source>Foreseeing…</source>
        <translation>Wird vorausgesehen …</translation>
    </message>
    <message>
        <source>Nothing can be foreseen of these changes.</source>
        <translation>Von diesen Änderungen lässt sich nichts voraussehen.</translation>
    </message>
    <message>
        <source>Projected %1 ago</source>
        <translation>Vor %1 vorausgesehen</translation>
    </message>
    <message>
        <source>Projected just now</source>
        <translation>Eben vorausgesehen</translation>
    </message>
</context>
<context>
    <name>EmptyNote</name>
    <message>
        <source>Add task…</source>
        <translation>Aufgabe hinzufügen …</translation>
    </message>
    <message>
        <source>Choose what the first task does (%1)</source>
        <translation>Wählen, was die erste Aufgabe tut (%1)</translation>
    </message>
    <message>
        <source>No tasks yet. Double-click here, or drag one from the palette.</source>
        <translation>Noch keine Aufgaben. Hier doppelklicken oder eine aus der Palette ziehen.</translation>
    </message>
    <message>
        <source>No tasks yet. The graph will be drawn here.</source>
        <translation>Noch keine Aufgaben. Der Graph wird hier gezeichnet.</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>$STARLOOM_RESULT cannot be read: %1.</source>
        <translation>$STARLOOM_RESULT ist nicht zu lesen: %1.</translation>
    </message>
    <message>
        <source>%1 Its last words: %2</source>
        <translation>%1 Seine letzten Worte: %2</translation>
    </message>
    <message>
        <source>%1 So what its function has returned is not known.</source>
        <translation>%1 Was die Funktion zurückgegeben hat, ist daher nicht bekannt.</translation>
    </message>
    <message>
        <source>%1 So whether and how the command has ended is not known.</source>
        <translation>%1 Ob und wie der Befehl geendet hat, ist daher nicht bekannt.</translation>
    </message>
    <message>
        <source>%1 The agent may still work: the protocol does not tell whether it has stopped.</source>
        <translation>%1 Der Agent arbeitet vielleicht noch: Das Protokoll sagt nicht, ob er aufgehört hat.</translation>
    </message>
    <message>
        <source>%1 answered more than %2 MiB; propose fewer edits.</source>
        <translation>%1 antwortete mit mehr als %2 MiB; schlagen Sie weniger Änderungen vor.</translation>
    </message>
    <message>
        <source>%1 answered with %2; known are edits and reason.</source>
        <translation>%1 antwortete mit %2; bekannt sind edits und reason.</translation>
    </message>
    <message>
        <source>%1 answers with %2: %3.</source>
        <translation>%1 antwortet mit %2: %3.</translation>
    </message>
    <message>
        <source>%1 answers with %2: it has moved, and prompts are not sent on. Correct `url` of the device.</source>
        <translation>%1 antwortet mit %2: Der Endpunkt ist umgezogen, und Prompts werden nicht nachgesendet. Berichtigen Sie `url` des Geräts.</translation>
    </message>
    <message>
        <source>%1 asks nobody now: it is %2.</source>
        <translation>%1 fragt jetzt niemanden, Stand: %2.</translation>
    </message>
    <message>
        <source>%1 asks nobody: it is no gate.</source>
        <translation>%1 fragt niemanden: Es ist keine Freigabe.</translation>
    </message>
    <message>
        <source>%1 cannot be %2.</source>
        <translation>%1 kann nicht %2 sein.</translation>
    </message>
    <message>
        <source>%1 cannot be asked: %2</source>
        <translation>%1 lässt sich nicht fragen: %2</translation>
    </message>
    <message>
        <source>%1 cannot be held: it is %2.</source>
        <translation>%1 kann nicht zurückgehalten werden, Stand: %2.</translation>
    </message>
    <message>
        <source>%1 cannot be marked: it is %2.</source>
        <translation>%1 kann nicht als erledigt gelten, Stand: %2.</translation>
    </message>
    <message>
        <source>%1 cannot be pinned: it is %2.</source>
        <translation>%1 kann an kein Gerät gebunden werden, Stand: %2.</translation>
    </message>
    <message>
        <source>%1 cannot be reached: %2. Start it, or correct its address.</source>
        <translation>%1 ist nicht erreichbar: %2. Starten Sie es, oder berichtigen Sie seine Adresse.</translation>
    </message>
    <message>
        <source>%1 cannot be reached: no answer within %2 s. Check that it runs, its address, and that no firewall keeps it away.</source>
        <translation>%1 ist nicht erreichbar: keine Antwort innerhalb von %2 s. Prüfen Sie, ob es läuft, seine Adresse, und ob eine Firewall es abschirmt.</translation>
    </message>
    <message>
        <source>%1 cannot be reached: no machine is known by the name %2 (%3). Correct the name, or check the network.</source>
        <translation>%1 ist nicht erreichbar: Unter dem Namen %2 ist kein Rechner bekannt (%3). Berichtigen Sie den Namen, oder prüfen Sie das Netzwerk.</translation>
    </message>
    <message>
        <source>%1 cannot be read</source>
        <translation>%1 ist nicht zu lesen</translation>
    </message>
    <message>
        <source>%1 cannot be removed: %2 depends on it and %3.</source>
        <translation>%1 kann nicht entfernt werden: %2 hängt davon ab und %3.</translation>
    </message>
    <message>
        <source>%1 cannot be reprioritised: it is %2.</source>
        <translation>%1 kann keine andere Priorität bekommen, Stand: %2.</translation>
    </message>
    <message>
        <source>%1 cannot be rerun while %2 runs.</source>
        <translation>%1 kann nicht neu ausgeführt werden, solange %2 läuft.</translation>
    </message>
    <message>
        <source>%1 cannot be rerun: it is %2.</source>
        <translation>%1 kann nicht neu ausgeführt werden, Stand: %2.</translation>
    </message>
    <message>
        <source>%1 cannot be retried: it is %2.</source>
        <translation>%1 kann nicht wiederholt werden, Stand: %2.</translation>
    </message>
    <message>
        <source>%1 cannot be skipped: it is %2.</source>
        <translation>%1 kann nicht übersprungen werden, Stand: %2.</translation>
    </message>
    <message>
        <source>%1 cannot be written (%2). See whether there is room.</source>
        <translation>%1 lässt sich nicht schreiben (%2). Ist dort noch Platz?</translation>
    </message>
    <message>
        <source>%1 cannot change: it %2.</source>
        <translation>%1 kann sich nicht ändern: Die Aufgabe %2.</translation>
    </message>
    <message>
        <source>%1 cannot start now. %2</source>
        <translation>%1 kann jetzt nicht starten. %2</translation>
    </message>
    <message>
        <source>%1 changed %2 in revision %3; this edit was made on revision %4.</source>
        <translation>%1 hat %2 in Revision %3 geändert; diese Änderung wurde an Revision %4 gemacht.</translation>
    </message>
    <message>
        <source>%1 depends on %2 already.</source>
        <translation>%1 hängt schon von %2 ab.</translation>
    </message>
    <message>
        <source>%1 depends on %2 twice.</source>
        <translation>%1 hängt zweimal von %2 ab.</translation>
    </message>
    <message>
        <source>%1 does not depend on %2.</source>
        <translation>%1 hängt nicht von %2 ab.</translation>
    </message>
    <message>
        <source>%1 does not hold everything; left out: %2.</source>
        <translation>%1 fasst nicht alles; weggelassen: %2.</translation>
    </message>
    <message>
        <source>%1 does not name a function; write module:function, e.g. plans.agent:propose.</source>
        <translation>%1 nennt keine Funktion; schreiben Sie module:function, z. B. plans.agent:propose.</translation>
    </message>
    <message>
        <source>%1 does not take the key (%2). Put it into the keyring with `keyring set %3`, or into %4.</source>
        <translation>%1 nimmt den Schlüssel nicht an (%2). Legen Sie ihn mit `keyring set %3` in den Schlüsselbund oder in %4.</translation>
    </message>
    <message>
        <source>%1 has 0 slots</source>
        <translation>%1 hat 0 Plätze</translation>
    </message>
    <message>
        <source>%1 has the result of %2 in its shell text, where results are never put: the shell would run them.</source>
        <translation>%1 hat das Ergebnis von %2 in seinem Shell-Text, wo Ergebnisse nie eingesetzt werden: Die Shell würde sie ausführen.</translation>
    </message>
    <message>
        <source>%1 holds no fleet.</source>
        <translation>%1 enthält keine Flotte.</translation>
    </message>
    <message>
        <source>%1 is a gate and runs on no device.</source>
        <translation>%1 ist eine Freigabe und läuft auf keinem Gerät.</translation>
    </message>
    <message>
        <source>%1 is another task by now: it was added after revision %2, on which this edit was made.</source>
        <translation>%1 ist inzwischen eine andere Aufgabe: Sie kam nach Revision %2 dazu, an der diese Änderung gemacht wurde.</translation>
    </message>
    <message>
        <source>%1 is answered already: %2.</source>
        <translation>%1 ist schon beantwortet: %2.</translation>
    </message>
    <message>
        <source>%1 is asked of a text; write output.%1(&quot;…&quot;).</source>
        <translation>%1 wird einen Text gefragt; schreiben Sie output.%1(&quot;…&quot;).</translation>
    </message>
    <message>
        <source>%1 is connecting</source>
        <translation>%1 verbindet sich</translation>
    </message>
    <message>
        <source>%1 is disabled</source>
        <translation>%1 ist abgeschaltet</translation>
    </message>
    <message>
        <source>%1 is disconnected</source>
        <translation>%1 ist getrennt</translation>
    </message>
    <message>
        <source>%1 is draining</source>
        <translation>%1 läuft leer</translation>
    </message>
    <message>
        <source>%1 is failed</source>
        <translation>%1 ist ausgefallen</translation>
    </message>
    <message>
        <source>%1 is no edit.</source>
        <translation>%1 ist keine Änderung.</translation>
    </message>
    <message>
        <source>%1 is no file; have it packed into one, say with tar.</source>
        <translation>%1 ist keine Datei; lassen Sie es in eine packen, etwa mit tar.</translation>
    </message>
    <message>
        <source>%1 is no format.</source>
        <translation>%1 ist kein Format.</translation>
    </message>
    <message>
        <source>%1 is no list.</source>
        <translation>%1 ist keine Liste.</translation>
    </message>
    <message>
        <source>%1 is not a duration; write seconds (90) or 90s, 10m, 1h30m</source>
        <translation>%1 ist keine Dauer; schreiben Sie Sekunden (90) oder 90s, 10m, 1h30m</translation>
    </message>
    <message>
        <source>%1 is not a number that can be used.</source>
        <translation>%1 ist keine verwendbare Zahl.</translation>
    </message>
    <message>
        <source>%1 is not a priority.</source>
        <translation>%1 ist keine Priorität.</translation>
    </message>
    <message>
        <source>%1 is not a priority; use 0 to 100 or one of %2</source>
        <translation>%1 ist keine Priorität; nehmen Sie 0 bis 100 oder eines von %2</translation>
    </message>
    <message>
        <source>%1 is not a priority; use a whole number from 0 to 100 or a name</source>
        <translation>%1 ist keine Priorität; nehmen Sie eine ganze Zahl von 0 bis 100 oder einen Namen</translation>
    </message>
    <message>
        <source>%1 is not expected here</source>
        <translation>%1 wird hier nicht erwartet</translation>
    </message>
    <message>
        <source>%1 is not ready. %2</source>
        <translation>%1 ist nicht bereit. %2</translation>
    </message>
    <message>
        <source>%1 is not the address of an endpoint; write e.g. http://127.0.0.1:11434/v1.</source>
        <translation>%1 ist keine Adresse eines Endpunkts; schreiben Sie z. B. http://127.0.0.1:11434/v1.</translation>
    </message>
    <message>
        <source>%1 is refused: %2</source>
        <translation>%1 ist abgelehnt: %2</translation>
    </message>
    <message>
        <source>%1 is suspended</source>
        <translation>%1 ist ausgesetzt</translation>
    </message>
    <message>
        <source>%1 is suspended for another %2 (%3)</source>
        <translation>%1 ist noch %2 ausgesetzt (%3)</translation>
    </message>
    <message>
        <source>%1 is suspended for another %2 after %3 failures in a row</source>
        <translation>%1 ist noch %2 ausgesetzt, nach %3 Fehlschlägen in Folge</translation>
    </message>
    <message>
        <source>%1 is suspended for another %2 after %3 failures in a row (%4)</source>
        <translation>%1 ist noch %2 ausgesetzt, nach %3 Fehlschlägen in Folge (%4)</translation>
    </message>
    <message>
        <source>%1 is there twice.</source>
        <translation>%1 kommt zweimal vor.</translation>
    </message>
    <message>
        <source>%1 is trial</source>
        <translation>%1 ist auf Probe</translation>
    </message>
    <message>
        <source>%1 is written by Starloom, but not read.</source>
        <translation>%1 wird von Starloom geschrieben, aber nicht gelesen.</translation>
    </message>
    <message>
        <source>%1 lies outside the scope of the agent: %2.</source>
        <translation>%1 liegt außerhalb des Bereichs des Agenten: %2.</translation>
    </message>
    <message>
        <source>%1 needs %2, and there is none</source>
        <translation>%1 braucht %2, und das gibt es nicht</translation>
    </message>
    <message>
        <source>%1 needs %2, which %3 does not offer.</source>
        <translation>%1 braucht %2, und %3 bietet das nicht.</translation>
    </message>
    <message>
        <source>%1 needs a device that runs %2, and %3 does not.</source>
        <translation>%1 braucht ein Gerät, das %2 ausführt, und %3 tut das nicht.</translation>
    </message>
    <message>
        <source>%1 reads its own result, which is there only when it has ended.</source>
        <translation>%1 liest das eigene Ergebnis, das erst da ist, wenn sie geendet hat.</translation>
    </message>
    <message>
        <source>%1 reads the result of %2, but does not wait for it.</source>
        <translation>%1 liest das Ergebnis von %2, wartet aber nicht darauf.</translation>
    </message>
    <message>
        <source>%1 reads the result of %2, which is not a task.</source>
        <translation>%1 liest das Ergebnis von %2, und das ist keine Aufgabe.</translation>
    </message>
    <message>
        <source>%1 returned a %2 that is not JSON: %3.</source>
        <translation>%1 gab ein %2 zurück, das kein JSON ist: %3.</translation>
    </message>
    <message>
        <source>%1 shows the kinds and conditions of dependencies as labels only.</source>
        <translation>%1 zeigt Arten und Bedingungen von Abhängigkeiten nur als Beschriftung.</translation>
    </message>
    <message>
        <source>%1 tasks are running and the global limit is %2.</source>
        <translation>%1 Aufgaben laufen, und das Limit aller Läufe ist %2.</translation>
    </message>
    <message>
        <source>%1 tasks in a row failed there within %2, the last one with exit code %3, and other devices take them</source>
        <translation>%1 Aufgaben in Folge schlugen dort innerhalb von %2 fehl, die letzte mit Exit-Code %3, und andere Geräte nehmen sie</translation>
    </message>
    <message>
        <source>%1 wants a key (%2). Put it into the keyring with `keyring set %3`, or into %4.</source>
        <translation>%1 verlangt einen Schlüssel (%2). Legen Sie ihn mit `keyring set %3` in den Schlüsselbund oder in %4.</translation>
    </message>
    <message>
        <source>%1 was removed by %2 in revision %3.</source>
        <translation>%1 wurde in Revision %3 von %2 entfernt.</translation>
    </message>
    <message>
        <source>%1 would be skipped again at once, because of %2.</source>
        <translation>%1 würde sofort wieder übersprungen, wegen %2.</translation>
    </message>
    <message>
        <source>%1 would hold a NUL character once %2 is replaced, which no program can be given; pass the value through `inputs` or the file that $STARLOOM_UPSTREAM names.</source>
        <translation>%1 enthielte ein NUL-Zeichen, sobald %2 ersetzt ist, und das nimmt kein Programm an; übergeben Sie den Wert in `inputs` oder der Datei, die $STARLOOM_UPSTREAM nennt.</translation>
    </message>
    <message>
        <source>%1, and the condition %2 cannot be evaluated: %3</source>
        <translation>%1, und die Bedingung %2 lässt sich nicht auswerten: %3</translation>
    </message>
    <message>
        <source>%1, and the condition %2 says no</source>
        <translation>%1, und die Bedingung %2 trifft nicht zu</translation>
    </message>
    <message>
        <source>%1, and the dependency is of kind %2</source>
        <translation>%1, und die Abhängigkeit ist von der Art %2</translation>
    </message>
    <message>
        <source>%1, and the dependency is of kind failure</source>
        <translation>%1, und die Abhängigkeit ist von der Art „Fehler“</translation>
    </message>
    <message>
        <source>%1: %2 is no path into the %3 of task %4; write .name, .0 or [0].</source>
        <translation>%1: %2 ist kein Pfad in %3 der Aufgabe %4; schreiben Sie .name, .0 oder [0].</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>%1: metadata.%2 still says which files are copied, but will not for ever; write files: {send: […], fetch: […]} instead.</source>
        <translation>%1: metadata.%2 sagt noch, welche Dateien kopiert werden, aber nicht für immer; schreiben Sie stattdessen files: {send: […], fetch: […]}.</translation>
    </message>
    <message>
        <source>%1: the %2 of task %3 has no %4; it has %5.</source>
        <translation>%1: %2 der Aufgabe %3 hat kein %4; es hat %5.</translation>
    </message>
    <message>
        <source>%1: the %2 of task %3 has no item %4; it is a list of %5, counted from 0.</source>
        <translation>%1: %2 der Aufgabe %3 hat kein Element %4; es ist eine Liste von %5, gezählt ab 0.</translation>
    </message>
    <message>
        <source>%1: the %2 of task %3 has no item %4; it is a list of %5.</source>
        <translation>%1: %2 der Aufgabe %3 hat kein Element %4; es ist eine Liste von %5.</translation>
    </message>
    <message>
        <source>%1: the %2 of task %3 is %4, so it has no %5.</source>
        <translation>%1: %2 der Aufgabe %3 ist %4 und hat daher kein %5.</translation>
    </message>
    <message>
        <source>%1: there is no task %2 whose result can be used here.</source>
        <translation>%1: Es gibt keine Aufgabe %2, deren Ergebnis hier zu verwenden wäre.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; and %2 more</source>
        <translation>„%1“ und %2 weiteren</translation>
    </message>
    <message>
        <source>&apos;%1&apos; completed</source>
        <translation>„%1“ ist fertig</translation>
    </message>
    <message>
        <source>&apos;%1&apos; failed</source>
        <translation>„%1“ ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is held</source>
        <translation>„%1“ wird zurückgehalten</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is stopped at its breakpoint</source>
        <translation>„%1“ steht am Haltepunkt</translation>
    </message>
    <message>
        <source>&apos;%1&apos; was cancelled</source>
        <translation>„%1“ wurde abgebrochen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; was skipped</source>
        <translation>„%1“ wurde übersprungen</translation>
    </message>
    <message>
        <source>A DOT graph says nothing about what its nodes do: every task is simulated and takes one second; colours and shapes are left out.</source>
        <translation>Ein DOT-Graph sagt nicht, was seine Knoten tun: jede Aufgabe wird simuliert und dauert eine Sekunde; Farben und Formen werden weggelassen.</translation>
    </message>
    <message>
        <source>A device cannot have %1 slots.</source>
        <translation>Ein Gerät kann nicht %1 Plätze haben.</translation>
    </message>
    <message>
        <source>A key for %1 cannot be used: %2. If it has a passphrase, add it to the key agent (`ssh-add`).</source>
        <translation>Ein Schlüssel für %1 ist nicht zu verwenden: %2. Hat er ein Passwort, fügen Sie ihn dem Schlüsselagenten hinzu (`ssh-add`).</translation>
    </message>
    <message>
        <source>A limit cannot be %1.</source>
        <translation>Ein Limit kann nicht %1 sein.</translation>
    </message>
    <message>
        <source>A limit group cannot be named %1.</source>
        <translation>Eine Gruppe kann nicht %1 heißen.</translation>
    </message>
    <message>
        <source>A task cannot be marked %1.</source>
        <translation>Eine Aufgabe kann nicht als %1 gelten.</translation>
    </message>
    <message>
        <source>A timeout cannot be %1.</source>
        <translation>Ein Zeitlimit kann nicht %1 sein.</translation>
    </message>
    <message>
        <source>A turn could not be carried out: %1. This is a defect.</source>
        <translation>Ein Schritt ließ sich nicht ausführen: %1. Das ist ein Fehler im Programm.</translation>
    </message>
    <message>
        <source>Accept or reject them.</source>
        <translation>Nehmen Sie sie an, oder lehnen Sie sie ab.</translation>
    </message>
    <message>
        <source>Add a device or change what the task requires.</source>
        <translation>Fügen Sie ein Gerät hinzu, oder ändern Sie, was die Aufgabe verlangt.</translation>
    </message>
    <message>
        <source>Add it.</source>
        <translation>Fügen Sie es hinzu.</translation>
    </message>
    <message>
        <source>Add needs: [%1].</source>
        <translation>Fügen Sie die Abhängigkeit von %1 hinzu.</translation>
    </message>
    <message>
        <source>Add the dependency first.</source>
        <translation>Fügen Sie zuerst die Abhängigkeit hinzu.</translation>
    </message>
    <message>
        <source>Add the device first.</source>
        <translation>Fügen Sie zuerst das Gerät hinzu.</translation>
    </message>
    <message>
        <source>Add the task first, in the same batch if you like.</source>
        <translation>Fügen Sie zuerst die Aufgabe hinzu.</translation>
    </message>
    <message>
        <source>Add the task or remove the dependency.</source>
        <translation>Fügen Sie die Aufgabe hinzu, oder entfernen Sie die Abhängigkeit.</translation>
    </message>
    <message>
        <source>Agent %1 would not be asked about any task.</source>
        <translation>Agent %1 würde zu keiner Aufgabe gefragt.</translation>
    </message>
    <message>
        <source>Agents change it once the reservation has ended.</source>
        <translation>Agenten ändern ihn wieder, wenn die Reservierung beendet ist.</translation>
    </message>
    <message>
        <source>All slots of %1 are taken.</source>
        <translation>Alle Plätze von %1 sind belegt.</translation>
    </message>
    <message>
        <source>All slots of %1 are taken. %2 was suspended, and gets one task until one shows that it works.</source>
        <translation>Alle Plätze von %1 sind belegt. %2 war ausgesetzt und bekommt eine Aufgabe, bis eine zeigt, dass es geht.</translation>
    </message>
    <message>
        <source>Already held.</source>
        <translation>Schon zurückgehalten.</translation>
    </message>
    <message>
        <source>An id never changes; add a new task instead.</source>
        <translation>Eine Kennung ändert sich nie; fügen Sie stattdessen eine neue Aufgabe hinzu.</translation>
    </message>
    <message>
        <source>Another Starloom is open with the same folder %1: %2. The runs of both are kept. Which devices are drained and what limits are set is remembered of that one only; what is set here holds until this program ends.</source>
        <translation>Ein anderes Starloom ist mit demselben Ordner %1 geöffnet: %2. Die Läufe beider werden behalten. Welche Geräte leerlaufen und welche Limits gesetzt sind, wird nur von jenem gemerkt; was hier gesetzt wird, gilt, bis dieses Programm endet.</translation>
    </message>
    <message>
        <source>Answer each by itself.</source>
        <translation>Beantworten Sie jede für sich.</translation>
    </message>
    <message>
        <source>Answer it by a note.</source>
        <translation>Beantworten Sie sie mit einer Notiz.</translation>
    </message>
    <message>
        <source>Answer it.</source>
        <translation>Antworten Sie.</translation>
    </message>
    <message>
        <source>Answer once, when asked, while the agent is attached and not paused.</source>
        <translation>Geantwortet wird einmal, auf eine Frage, solange der Agent dabei und nicht angehalten ist.</translation>
    </message>
    <message>
        <source>Answer what it asks now.</source>
        <translation>Beantworten Sie, was es jetzt fragt.</translation>
    </message>
    <message>
        <source>Approve or reject it.</source>
        <translation>Stimmen Sie zu, oder lehnen Sie ab.</translation>
    </message>
    <message>
        <source>Ask %1, wait until then, or break the reservation.</source>
        <translation>Fragen Sie %1, warten Sie so lange, oder heben Sie die Reservierung auf.</translation>
    </message>
    <message>
        <source>Attempt %1 failed; the next one is due in %2.</source>
        <translation>Versuch %1 ist fehlgeschlagen; der nächste folgt in %2.</translation>
    </message>
    <message>
        <source>Cancel a running task instead.</source>
        <translation>Brechen Sie eine laufende Aufgabe stattdessen ab.</translation>
    </message>
    <message>
        <source>Change its permissions or its owner.</source>
        <translation>Ändern Sie ihre Berechtigungen oder ihren Eigentümer.</translation>
    </message>
    <message>
        <source>Check the path.</source>
        <translation>Prüfen Sie den Pfad.</translation>
    </message>
    <message>
        <source>Choose another device or change what the task does.</source>
        <translation>Wählen Sie ein anderes Gerät, oder ändern Sie, was die Aufgabe tut.</translation>
    </message>
    <message>
        <source>Choose another device or change what the task requires.</source>
        <translation>Wählen Sie ein anderes Gerät, oder ändern Sie, was die Aufgabe verlangt.</translation>
    </message>
    <message>
        <source>Choose another id.</source>
        <translation>Wählen Sie eine andere Kennung.</translation>
    </message>
    <message>
        <source>Choose another id; names may repeat.</source>
        <translation>Wählen Sie eine andere Kennung; Namen dürfen sich wiederholen.</translation>
    </message>
    <message>
        <source>Choose it, or reject without it.</source>
        <translation>Wählen Sie sie, oder lehnen Sie ohne sie ab.</translation>
    </message>
    <message>
        <source>Choose one of %1, or reject it.</source>
        <translation>Wählen Sie aus %1, oder lehnen Sie ab.</translation>
    </message>
    <message>
        <source>Choose one of %1.</source>
        <translation>Wählen Sie aus %1.</translation>
    </message>
    <message>
        <source>Conditions in plain words decide nothing; they are notes in the metadata of their dependencies.</source>
        <translation>Bedingungen in einfachen Worten entscheiden nichts; sie sind Notizen in den Metadaten ihrer Abhängigkeiten.</translation>
    </message>
    <message>
        <source>Correct the id, or write $${ where a plain ${ is meant.</source>
        <translation>Verbessern Sie die Kennung, oder schreiben Sie $${, wo ein einfaches ${ gemeint ist.</translation>
    </message>
    <message>
        <source>Device %1 cannot be reached: %2</source>
        <translation>Das Gerät %1 ist nicht erreichbar: %2</translation>
    </message>
    <message>
        <source>Device %1 cannot be reached: %2 ended with %3: %4.</source>
        <translation>Das Gerät %1 ist nicht erreichbar: %2 endete mit %3: %4.</translation>
    </message>
    <message>
        <source>Device %1 cannot make a folder for its files: %2.</source>
        <translation>Das Gerät %1 kann keinen Ordner für seine Dateien anlegen: %2.</translation>
    </message>
    <message>
        <source>Device %1 does not answer within %2 s.</source>
        <translation>Das Gerät %1 antwortet nicht innerhalb von %2 s.</translation>
    </message>
    <message>
        <source>Device %1 failed: %2</source>
        <translation>Das Gerät %1 ist selbst fehlgeschlagen: %2</translation>
    </message>
    <message>
        <source>Device %1 has no handler %2. Did you mean %3? It knows %4.</source>
        <translation>Das Gerät %1 hat keinen Handler %2. Meinten Sie %3? Es kennt %4.</translation>
    </message>
    <message>
        <source>Device %1 has no handler %2. It knows %3.</source>
        <translation>Das Gerät %1 hat keinen Handler %2. Es kennt %3.</translation>
    </message>
    <message>
        <source>Device %1 has no handler %2; none is registered. The host program registers them.</source>
        <translation>Das Gerät %1 hat keinen Handler %2; angemeldet ist keiner. Das Programm, in dem es läuft, meldet sie an.</translation>
    </message>
    <message>
        <source>Device %1 is a Dask worker and runs command, shell, python and simulate, not %2; give the task %3 (`device`, or a capability in `requires`).</source>
        <translation>Das Gerät %1 ist ein Dask-Worker und führt command, shell, python und simulate aus, nicht %2; geben Sie die Aufgabe an %3 (`device`, oder eine Fähigkeit in `requires`).</translation>
    </message>
    <message>
        <source>Device %1 is an agent and runs prompts, not %2; give the task another device.</source>
        <translation>Das Gerät %1 ist ein Agent und führt Prompts aus, nicht %2; geben Sie der Aufgabe ein anderes Gerät.</translation>
    </message>
    <message>
        <source>Device %1 is local and runs command, shell, python and simulate, not %2; give the task %3 (`device`, or a capability in `requires`).</source>
        <translation>Das Gerät %1 ist lokal und führt command, shell, python und simulate aus, nicht %2; geben Sie die Aufgabe an %3 (`device`, oder eine Fähigkeit in `requires`).</translation>
    </message>
    <message>
        <source>Device %1 is not connected; connect it first.</source>
        <translation>Das Gerät %1 ist nicht verbunden; verbinden Sie es zuerst.</translation>
    </message>
    <message>
        <source>Device %1 is not reserved.</source>
        <translation>Gerät %1 ist nicht reserviert.</translation>
    </message>
    <message>
        <source>Device %1 is reserved by %2 for another %3: %4.</source>
        <translation>Gerät %1 ist noch für %3 von %2 reserviert: %4.</translation>
    </message>
    <message>
        <source>Device %1 runs command, shell and simulate, not python; give the task a local device, or a command like `python3 -m module` with the module in that system.</source>
        <translation>Das Gerät %1 führt command, shell und simulate aus, nicht python; geben Sie der Aufgabe ein lokales Gerät oder einen Befehl wie `python3 -m module` mit dem Modul in jenem System.</translation>
    </message>
    <message>
        <source>Device %1 still has what %2 task left, which is being brought here.</source>
        <translation>Gerät %1 hat noch, was %2 Aufgabe hinterlassen hat und hierher geholt wird.</translation>
    </message>
    <message>
        <source>Device %1 still has what %2 tasks left, which is being brought here.</source>
        <translation>Gerät %1 hat noch, was %2 Aufgaben hinterlassen haben und hierher geholt wird.</translation>
    </message>
    <message>
        <source>Device %1 still runs %2 task.</source>
        <translation>Auf dem Gerät %1 läuft noch %2 Aufgabe.</translation>
    </message>
    <message>
        <source>Device %1 still runs %2 tasks.</source>
        <translation>Auf dem Gerät %1 laufen noch %2 Aufgaben.</translation>
    </message>
    <message>
        <source>Device %1 was lost while it ran.</source>
        <translation>Das Gerät %1 ging verloren, während sie lief.</translation>
    </message>
    <message>
        <source>Device %1, reached over SSH, does not run %2.</source>
        <translation>Das Gerät %1, über SSH erreicht, führt %2 nicht aus.</translation>
    </message>
    <message>
        <source>Device %1: token says where the token is kept, not what it is: write keyring:NAME or env:NAME.</source>
        <translation>Gerät %1: token sagt, wo das Token liegt, nicht wie es lautet: keyring:NAME oder env:NAME.</translation>
    </message>
    <message>
        <source>Device %1: url holds a token or password, which would be written down with it. Leave it out there, and name where it is kept in `token`, as keyring:NAME or env:NAME.</source>
        <translation>Gerät %1: url enthält ein Token oder Passwort, das mit ihr aufgeschrieben würde. Lassen Sie es dort weg und geben Sie in `token` an, wo es liegt, als keyring:NAME oder env:NAME.</translation>
    </message>
    <message>
        <source>Device %1: url is no address of a WebSocket; give it the server&apos;s address, like ws://localhost:5000/ws.</source>
        <translation>Gerät %1: url ist keine WebSocket-Adresse; geben Sie die Adresse des Servers an, etwa ws://localhost:5000/ws.</translation>
    </message>
    <message>
        <source>Device %1: url is ws://, so what is said to %2 can be read and changed by others on its way. Use wss://, or ws://localhost through an SSH tunnel; or set `plaintext: true` where that is no harm.</source>
        <translation>Gerät %1: url ist ws://, also können andere unterwegs lesen und ändern, was %2 gesagt wird. Verwenden Sie wss:// oder ws://localhost durch einen SSH-Tunnel; oder setzen Sie `plaintext: true`, wo das nicht schadet.</translation>
    </message>
    <message>
        <source>Device types are capabilities that a device has to offer: %1.</source>
        <translation>Gerätetypen sind Fähigkeiten, die ein Gerät bieten muss: %1.</translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation>Meinten Sie %1?</translation>
    </message>
    <message>
        <source>Drain it and wait, or cancel what runs there.</source>
        <translation>Lassen Sie es leerlaufen, oder brechen Sie ab, was dort läuft.</translation>
    </message>
    <message>
        <source>Flatten it; plans need only a few levels.</source>
        <translation>Machen Sie sie flacher; Pläne brauchen wenige Ebenen.</translation>
    </message>
    <message>
        <source>For example %1.</source>
        <translation>Zum Beispiel %1.</translation>
    </message>
    <message>
        <source>For example package.module:function.</source>
        <translation>Zum Beispiel package.module:function.</translation>
    </message>
    <message>
        <source>Give 0 or more, or none for no limit.</source>
        <translation>Geben Sie 0 oder mehr an, oder nichts für kein Limit.</translation>
    </message>
    <message>
        <source>Give a number of seconds above 0, at most %1, which is a year.</source>
        <translation>Geben Sie eine Zahl von Sekunden über 0 an, höchstens %1, das ist ein Jahr.</translation>
    </message>
    <message>
        <source>Give a number of seconds above 0.</source>
        <translation>Geben Sie eine Zahl von Sekunden über 0 an.</translation>
    </message>
    <message>
        <source>Give a number, or none, for each name.</source>
        <translation>Geben Sie für jeden Namen eine Zahl oder nichts an.</translation>
    </message>
    <message>
        <source>Give a whole number or none.</source>
        <translation>Geben Sie eine ganze Zahl oder nichts an.</translation>
    </message>
    <message>
        <source>Give a whole number, 0 or more.</source>
        <translation>Geben Sie eine ganze Zahl an, 0 oder mehr.</translation>
    </message>
    <message>
        <source>Give each task its own id; names may repeat.</source>
        <translation>Geben Sie jeder Aufgabe ihre eigene Kennung; Namen dürfen sich wiederholen.</translation>
    </message>
    <message>
        <source>Give how many times its estimate an attempt may run, 1 or more, or 0 for no limit.</source>
        <translation>Geben Sie an, das Wievielfache seiner Schätzung ein Versuch laufen darf, 1 oder mehr, oder 0 für kein Limit.</translation>
    </message>
    <message>
        <source>Give it 0 or more.</source>
        <translation>Geben Sie 0 oder mehr an.</translation>
    </message>
    <message>
        <source>Give it a name of some letters.</source>
        <translation>Geben Sie ihr einen Namen aus Buchstaben.</translation>
    </message>
    <message>
        <source>Give it another name.</source>
        <translation>Geben Sie ihm einen anderen Namen.</translation>
    </message>
    <message>
        <source>Give it another one: bypass: {value: …}.</source>
        <translation>Geben Sie ihr einen anderen: bypass: {value: …}.</translation>
    </message>
    <message>
        <source>Give it as a variable, env: {RESULT: &quot;${%1.value}&quot;}, and write &quot;$RESULT&quot; in the text.</source>
        <translation>Geben Sie es als Variable, env: {RESULT: &quot;${%1.value}&quot;}, und schreiben Sie &quot;$RESULT&quot; in den Text.</translation>
    </message>
    <message>
        <source>Give names to group and tasks, and none to all and descendants.</source>
        <translation>Geben Sie zu group und tasks Namen an und zu all und descendants keine.</translation>
    </message>
    <message>
        <source>Give plain JSON.</source>
        <translation>Geben Sie JSON an.</translation>
    </message>
    <message>
        <source>Give seconds since 1970, or 0.</source>
        <translation>Geben Sie Sekunden seit 1970 an, oder 0.</translation>
    </message>
    <message>
        <source>Give seconds, 0 or more.</source>
        <translation>Geben Sie Sekunden an, 0 oder mehr.</translation>
    </message>
    <message>
        <source>Give the name under which the agent is attached, e.g. rules.</source>
        <translation>Geben Sie den Namen an, unter dem der Agent hinzugefügt wird, z. B. rules.</translation>
    </message>
    <message>
        <source>Give the number of at least one.</source>
        <translation>Geben Sie die Nummer von wenigstens einer an.</translation>
    </message>
    <message>
        <source>Give this one its own id, or make the two equal to share it.</source>
        <translation>Geben Sie diesem eine eigene Kennung, oder machen Sie die beiden gleich, um es zu teilen.</translation>
    </message>
    <message>
        <source>Indent with spaces, not with tabs.</source>
        <translation>Rücken Sie mit Leerzeichen ein, nicht mit Tabulatoren.</translation>
    </message>
    <message>
        <source>It closed its input or its output and did not end, so nothing more can be said to it or heard from it.</source>
        <translation>Er hat seine Eingabe oder Ausgabe geschlossen und läuft weiter; ihm kann nichts mehr gesagt und von ihm nichts mehr gehört werden.</translation>
    </message>
    <message>
        <source>It completed.</source>
        <translation>Sie ist fertig.</translation>
    </message>
    <message>
        <source>It completed: %1</source>
        <translation>Sie ist fertig: %1</translation>
    </message>
    <message>
        <source>It failed.</source>
        <translation>Sie ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>It failed: %1</source>
        <translation>Sie ist fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>It failed: %1: %2. This is a defect.</source>
        <translation>Es ist fehlgeschlagen: %1: %2. Das ist ein Fehler im Programm.</translation>
    </message>
    <message>
        <source>It has a breakpoint and stops where it would start.</source>
        <translation>Sie hat einen Haltepunkt und hält, wo sie starten würde.</translation>
    </message>
    <message>
        <source>It has been running on %1 for %2 and was expected to take %3: it is overdue.</source>
        <translation>Sie läuft seit %2 auf %1 und sollte %3 dauern: Sie ist überfällig.</translation>
    </message>
    <message>
        <source>It has ended already.</source>
        <translation>Sie hat schon geendet.</translation>
    </message>
    <message>
        <source>It has ended, or has taken the question back; if it still matters, it asks again.</source>
        <translation>Wer fragte, ist beendet oder hat die Frage zurückgezogen; ist sie noch von Belang, kommt sie wieder.</translation>
    </message>
    <message>
        <source>It is being stopped (%1) on %2.</source>
        <translation>Sie wird auf %2 gestoppt (%1).</translation>
    </message>
    <message>
        <source>It is being stopped already.</source>
        <translation>Sie wird schon gestoppt.</translation>
    </message>
    <message>
        <source>It is bypassed with %1 bytes of JSON; at most %2 are kept. %3</source>
        <translation>Sie wird mit %1 Bytes JSON überbrückt; behalten werden höchstens %2. %3</translation>
    </message>
    <message>
        <source>It is bypassed with a value nested more than %1 levels deep. %2</source>
        <translation>Sie wird mit einem Wert überbrückt, der mehr als %1 Ebenen tief geschachtelt ist. %2</translation>
    </message>
    <message>
        <source>It is bypassed: where it would start, it completes without running, with %1.</source>
        <translation>Sie wird überbrückt: wo sie beginnen würde, endet sie als erledigt, ohne zu laufen, mit %1.</translation>
    </message>
    <message>
        <source>It is held.</source>
        <translation>Sie wird zurückgehalten.</translation>
    </message>
    <message>
        <source>It is in line with an effective priority of %1.</source>
        <translation>Sie steht an, mit einer wirksamen Priorität von %1.</translation>
    </message>
    <message>
        <source>It is in line, or waits for a busy device on which it will end sooner.</source>
        <translation>Sie steht an oder wartet auf ein belegtes Gerät, auf dem sie früher endet.</translation>
    </message>
    <message>
        <source>It is running on %1, attempt %2.</source>
        <translation>Sie läuft auf %1, Versuch %2.</translation>
    </message>
    <message>
        <source>It is set already.</source>
        <translation>Er ist schon gesetzt.</translation>
    </message>
    <message>
        <source>It is stopped at its breakpoint.</source>
        <translation>Sie steht an ihrem Haltepunkt.</translation>
    </message>
    <message>
        <source>It is to be stopped (%1) on %2, which is unreachable: it will be told once %3 is back.</source>
        <translation>Sie soll auf %2 angehalten werden (%1), das nicht erreichbar ist: es wird ihr gesagt, sobald %3 wieder da ist.</translation>
    </message>
    <message>
        <source>It needs %1, and the fleet has no such device.</source>
        <translation>Sie braucht %1, und das hat die Flotte nicht.</translation>
    </message>
    <message>
        <source>It runs on %1 and has waited for %2 for a person to answer %3. It keeps its slot, and its timeout does not run meanwhile.</source>
        <translation>Sie läuft auf %1 und wartet seit %2 auf eine Antwort zu %3. Sie behält ihren Platz, und ihr Zeitlimit läuft so lange nicht.</translation>
    </message>
    <message>
        <source>It runs on %1, which has been unreachable for %2. It goes on there, and is waited for for another %3; then it counts as lost.</source>
        <translation>Sie läuft auf %1, das seit %2 nicht erreichbar ist. Dort geht sie weiter; gewartet wird noch %3, dann gilt sie als verloren.</translation>
    </message>
    <message>
        <source>It sent a message of more than %1, which no message may have.</source>
        <translation>Er hat eine Nachricht von mehr als %1 gesendet; so groß darf keine sein.</translation>
    </message>
    <message>
        <source>It sent what is no message of the protocol (%1): %2.</source>
        <translation>Er hat etwas gesendet, das keine Nachricht des Protokolls ist (%1): %2.</translation>
    </message>
    <message>
        <source>It waits for %1 more tasks; all of them must say yes.</source>
        <translation>Sie wartet auf %1 weitere Aufgaben; alle müssen Ja sagen.</translation>
    </message>
    <message>
        <source>It waits for %1 more tasks; one of them must say yes.</source>
        <translation>Sie wartet auf %1 weitere Aufgaben; eine muss Ja sagen.</translation>
    </message>
    <message>
        <source>It waits for %1, which %2.</source>
        <translation>Sie wartet auf %1, Stand: %2.</translation>
    </message>
    <message>
        <source>It waits for %1, which is held.</source>
        <translation>Sie wartet auf %1, die zurückgehalten wird.</translation>
    </message>
    <message>
        <source>It waits for %1, which is ready.</source>
        <translation>Sie wartet auf %1, und das ist bereit.</translation>
    </message>
    <message>
        <source>It waits for %1, which is running.</source>
        <translation>Sie wartet auf %1, und das läuft.</translation>
    </message>
    <message>
        <source>It waits for %1, which is waiting itself.</source>
        <translation>Sie wartet auf %1, und das wartet selbst.</translation>
    </message>
    <message>
        <source>It waits for a person to answer %1.</source>
        <translation>Sie wartet auf eine Antwort zu %1.</translation>
    </message>
    <message>
        <source>It waits for a person to answer %1. In %2 it ends the run.</source>
        <translation>Sie wartet auf eine Antwort zu %1. In %2 beendet sie den Lauf.</translation>
    </message>
    <message>
        <source>It waits for a person to answer %1. In %2 it goes on without.</source>
        <translation>Sie wartet auf eine Antwort zu %1. In %2 geht es ohne weiter.</translation>
    </message>
    <message>
        <source>It waits for a person to answer %1. In %2 it is skipped.</source>
        <translation>Sie wartet auf eine Antwort zu %1. In %2 wird sie übersprungen.</translation>
    </message>
    <message>
        <source>It waits for a person to answer approval %1, of edits by %2.</source>
        <translation>Sie wartet darauf, dass jemand Vorschlag %1 beantwortet, Änderungen von %2.</translation>
    </message>
    <message>
        <source>It waits for agent %1 to answer to a batch of %2 task, since %3.</source>
        <translation>Sie wartet seit %3 darauf, was der Agent %1 zu %2 Aufgabe sagt.</translation>
    </message>
    <message>
        <source>It waits for agent %1 to answer to a batch of %2 tasks, since %3.</source>
        <translation>Sie wartet seit %3 darauf, was der Agent %1 zu %2 Aufgaben sagt.</translation>
    </message>
    <message>
        <source>It waits until %1 has been stopped, as edits by %2 replace both.</source>
        <translation>Sie wartet, bis %1 angehalten ist, da Änderungen von %2 beide ersetzen.</translation>
    </message>
    <message>
        <source>It was cancelled.</source>
        <translation>Sie wurde abgebrochen.</translation>
    </message>
    <message>
        <source>It was cancelled: %1</source>
        <translation>Sie wurde abgebrochen: %1</translation>
    </message>
    <message>
        <source>It was ended there.</source>
        <translation>Er wurde dort beendet.</translation>
    </message>
    <message>
        <source>It was marked failed by %1.</source>
        <translation>Sie wurde von %1 als fehlgeschlagen markiert.</translation>
    </message>
    <message>
        <source>It was rejected by %1.</source>
        <translation>Sie wurde von %1 abgelehnt.</translation>
    </message>
    <message>
        <source>It was rejected by %1: %2</source>
        <translation>Sie wurde von %1 abgelehnt: %2</translation>
    </message>
    <message>
        <source>It was rejected.</source>
        <translation>Sie wurde abgelehnt.</translation>
    </message>
    <message>
        <source>It was rejected: %1</source>
        <translation>Sie wurde abgelehnt: %1</translation>
    </message>
    <message>
        <source>It was skipped.</source>
        <translation>Sie wurde übersprungen.</translation>
    </message>
    <message>
        <source>It was skipped: %1</source>
        <translation>Sie wurde übersprungen: %1</translation>
    </message>
    <message>
        <source>It was stopped after its timeout of %1.</source>
        <translation>Sie wurde nach ihrem Zeitlimit von %1 gestoppt.</translation>
    </message>
    <message>
        <source>Its connection was closed, by which its server cancels it.</source>
        <translation>Die Verbindung wurde geschlossen, wodurch der Server die Aufgabe abbricht.</translation>
    </message>
    <message>
        <source>Its own result stands.</source>
        <translation>Ihr eigenes Ergebnis gilt.</translation>
    </message>
    <message>
        <source>Its process ended with %1.</source>
        <translation>Sein Prozess endete mit %1.</translation>
    </message>
    <message>
        <source>Its process ended with %1. Its last words: %2</source>
        <translation>Sein Prozess endete mit %1. Seine letzten Worte: %2</translation>
    </message>
    <message>
        <source>Its process ended.</source>
        <translation>Sein Prozess ist beendet.</translation>
    </message>
    <message>
        <source>Its process ended. Its last words: %1</source>
        <translation>Sein Prozess ist beendet. Seine letzten Worte: %1</translation>
    </message>
    <message>
        <source>Its work on %1 has ended; since %2 what it has printed and made is being brought here.</source>
        <translation>Ihre Arbeit auf %1 ist beendet; seit %2 wird hierher geholt, was sie ausgegeben und erzeugt hat.</translation>
    </message>
    <message>
        <source>Keep one of the two.</source>
        <translation>Behalten Sie eine von beiden.</translation>
    </message>
    <message>
        <source>Keep one of them.</source>
        <translation>Behalten Sie eines davon.</translation>
    </message>
    <message>
        <source>Known fields: %1.</source>
        <translation>Bekannte Felder: %1.</translation>
    </message>
    <message>
        <source>Leave nothing out when you reject it.</source>
        <translation>Lassen Sie beim Ablehnen nichts aus.</translation>
    </message>
    <message>
        <source>Let the run go on for everything.</source>
        <translation>Lassen Sie den Lauf für alles weitergehen.</translation>
    </message>
    <message>
        <source>Limit group %1 allows %2 at once and has %3.</source>
        <translation>Die Limitgruppe %1 erlaubt %2 zugleich und hat %3.</translation>
    </message>
    <message>
        <source>List the fleet to see its devices.</source>
        <translation>Die Geräte der Flotte stehen unter Geräte.</translation>
    </message>
    <message>
        <source>List the run&apos;s agents to see their names.</source>
        <translation>Die Namen der Agenten des Laufs stehen unter „Wartet auf Sie“.</translation>
    </message>
    <message>
        <source>List the run&apos;s open approvals to see their numbers.</source>
        <translation>Die offenen Zustimmungen des Laufs stehen unter „Wartet auf Sie“.</translation>
    </message>
    <message>
        <source>List the run&apos;s open questions to see their numbers.</source>
        <translation>Die Nummern stehen in der Liste der offenen Fragen des Laufs.</translation>
    </message>
    <message>
        <source>List the run&apos;s tasks to see their ids.</source>
        <translation>Die Kennungen der Aufgaben stehen in der Gliederung.</translation>
    </message>
    <message>
        <source>List the runs to see their ids.</source>
        <translation>Die Kennungen der Läufe stehen im Verlauf.</translation>
    </message>
    <message>
        <source>List the tasks to see their ids.</source>
        <translation>Die Kennungen der Aufgaben stehen in der Gliederung.</translation>
    </message>
    <message>
        <source>Look at its output; cancel it or give it a timeout if it hangs.</source>
        <translation>Sehen Sie sich ihre Ausgabe an; brechen Sie sie ab, oder geben Sie ihr ein Zeitlimit, falls sie hängt.</translation>
    </message>
    <message>
        <source>Look at the change and make the edit again.</source>
        <translation>Sehen Sie sich das an, und machen Sie die Änderung noch einmal.</translation>
    </message>
    <message>
        <source>Look at the task and make the edit again.</source>
        <translation>Sehen Sie sich die Aufgabe an, und machen Sie die Änderung noch einmal.</translation>
    </message>
    <message>
        <source>Look at this line and the one before it.</source>
        <translation>Sehen Sie sich diese Zeile und die davor an.</translation>
    </message>
    <message>
        <source>Make it of ids as text, a Task or a Dependency, e.g. AddTask(Task(...)), AddDependency(Dependency(...)).</source>
        <translation>Sie besteht aus Kennungen, einer Aufgabe oder einer Abhängigkeit, z. B. AddTask(Task(...)).</translation>
    </message>
    <message>
        <source>Mend that and retry the commit.</source>
        <translation>Beheben Sie das, und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Most viewers of Mermaid draw at most %1 arrows unless they are told otherwise.</source>
        <translation>Die meisten Betrachter von Mermaid zeichnen höchstens %1 Pfeile, wenn man ihnen nichts anderes sagt.</translation>
    </message>
    <message>
        <source>Name a file in it.</source>
        <translation>Nennen Sie eine Datei darin.</translation>
    </message>
    <message>
        <source>Name a gate.</source>
        <translation>Nennen Sie eine Freigabe.</translation>
    </message>
    <message>
        <source>Name another task.</source>
        <translation>Nennen Sie eine andere Aufgabe.</translation>
    </message>
    <message>
        <source>Name at least one task id.</source>
        <translation>Nennen Sie mindestens eine Aufgabe.</translation>
    </message>
    <message>
        <source>Name tasks, and of their ends completed, failed or both.</source>
        <translation>Nennen Sie Aufgaben, und als ihr Ende completed, failed oder beides.</translation>
    </message>
    <message>
        <source>No agent %1 is attached to this run.</source>
        <translation>An diesem Lauf ist kein Agent %1.</translation>
    </message>
    <message>
        <source>No answer to question %1 was chosen.</source>
        <translation>Zu Frage %1 wurde keine Antwort gewählt.</translation>
    </message>
    <message>
        <source>No approval %1 is open in this run.</source>
        <translation>In diesem Lauf ist keine Zustimmung %1 offen.</translation>
    </message>
    <message>
        <source>No closing quotation</source>
        <translation>ein Anführungszeichen wird nicht geschlossen</translation>
    </message>
    <message>
        <source>No device takes it now: %1.</source>
        <translation>Kein Gerät nimmt sie jetzt: %1.</translation>
    </message>
    <message>
        <source>No escaped character</source>
        <translation>hinter dem letzten \ fehlt ein Zeichen</translation>
    </message>
    <message>
        <source>No question was named.</source>
        <translation>Keine Frage wurde genannt.</translation>
    </message>
    <message>
        <source>No reason was given.</source>
        <translation>Es wurde kein Grund angegeben.</translation>
    </message>
    <message>
        <source>No task of the run can start now. %1</source>
        <translation>Keine Aufgabe des Laufs kann jetzt starten. %1</translation>
    </message>
    <message>
        <source>No task of the run can start now. Nothing is ready.</source>
        <translation>Keine Aufgabe des Laufs kann jetzt starten. Nichts ist bereit.</translation>
    </message>
    <message>
        <source>No task was named.</source>
        <translation>Es wurde keine Aufgabe genannt.</translation>
    </message>
    <message>
        <source>Nobody answered within %1.</source>
        <translation>Niemand hat in %1 geantwortet.</translation>
    </message>
    <message>
        <source>Nobody waits for an answer of agent %1 to edit cycle %2.</source>
        <translation>Niemand wartet auf eine Antwort des Agenten %1 in der Runde %2.</translation>
    </message>
    <message>
        <source>Nobody waits for an answer to question %1 any more.</source>
        <translation>Auf eine Antwort zu Frage %1 wartet niemand mehr.</translation>
    </message>
    <message>
        <source>None is set.</source>
        <translation>Es ist keiner gesetzt.</translation>
    </message>
    <message>
        <source>Not everything could be ended in %1: %2.</source>
        <translation>In %1 ließ sich nicht alles beenden: %2.</translation>
    </message>
    <message>
        <source>Not held.</source>
        <translation>Nicht zurückgehalten.</translation>
    </message>
    <message>
        <source>Nothing can be kept in %1 (%2). Name another directory.</source>
        <translation>In %1 lässt sich nichts behalten (%2). Nennen Sie ein anderes Verzeichnis.</translation>
    </message>
    <message>
        <source>Nothing can be reserved for %1 seconds.</source>
        <translation>Für %1 Sekunden kann nichts reserviert werden.</translation>
    </message>
    <message>
        <source>Nothing is left to run until there: it has ended.</source>
        <translation>Bis dorthin ist nichts mehr auszuführen: sie ist beendet.</translation>
    </message>
    <message>
        <source>Nothing of a recorded workflow is run: every task is simulated and takes the time it took.</source>
        <translation>Von einem aufgezeichneten Workflow wird nichts ausgeführt: jede Aufgabe wird simuliert und dauert so lange wie damals.</translation>
    </message>
    <message>
        <source>Nothing of approval %1 would be applied.</source>
        <translation>Von Vorschlag %1 bliebe nichts übrig.</translation>
    </message>
    <message>
        <source>Of approval %1 all is rejected.</source>
        <translation>Von Vorschlag %1 wird alles abgelehnt.</translation>
    </message>
    <message>
        <source>Only a paused run is resumed.</source>
        <translation>Nur ein angehaltener Lauf kann fortgesetzt werden.</translation>
    </message>
    <message>
        <source>Only a run that executes is paused.</source>
        <translation>Nur ein Lauf, der ausgeführt wird, kann angehalten werden.</translation>
    </message>
    <message>
        <source>Only a run that is ready starts.</source>
        <translation>Nur ein Lauf, der bereit ist, startet.</translation>
    </message>
    <message>
        <source>Only a task that has not started can be held.</source>
        <translation>Nur eine Aufgabe, die nicht gestartet ist, kann zurückgehalten werden.</translation>
    </message>
    <message>
        <source>Only a task that has not started can be moved.</source>
        <translation>Nur eine Aufgabe, die nicht gestartet ist, kann auf ein anderes Gerät.</translation>
    </message>
    <message>
        <source>Only failed, cancelled and skipped tasks are retried; rerun a completed one.</source>
        <translation>Wiederholt werden nur fehlgeschlagene, abgebrochene und übersprungene Aufgaben; eine fertige wird neu ausgeführt.</translation>
    </message>
    <message>
        <source>Only tasks that have not started can be edited; a retry or rerun makes a new attempt.</source>
        <translation>Nur Aufgaben, die nicht gestartet sind, lassen sich bearbeiten; ein neuer Versuch entsteht durch Wiederholen.</translation>
    </message>
    <message>
        <source>Pause it.</source>
        <translation>Halten Sie ihn an.</translation>
    </message>
    <message>
        <source>Pause it: then it is started, and no task of it.</source>
        <translation>Halten Sie ihn an: dann ist er gestartet, aber keine seiner Aufgaben.</translation>
    </message>
    <message>
        <source>Pin a task that runs.</source>
        <translation>Legen Sie eine Aufgabe fest, die läuft.</translation>
    </message>
    <message>
        <source>Priority matters only before a task starts.</source>
        <translation>Die Priorität zählt nur, bevor eine Aufgabe startet.</translation>
    </message>
    <message>
        <source>Put at least one edit into it.</source>
        <translation>Es muss mindestens eine sein.</translation>
    </message>
    <message>
        <source>Put each plan into a file of its own.</source>
        <translation>Legen Sie jeden Plan in eine eigene Datei.</translation>
    </message>
    <message>
        <source>Put it in quotes if it is the id of a task.</source>
        <translation>Setzen Sie es in Anführungszeichen, wenn es die Kennung einer Aufgabe ist.</translation>
    </message>
    <message>
        <source>Put it in quotes.</source>
        <translation>Setzen Sie es in Anführungszeichen.</translation>
    </message>
    <message>
        <source>Question %1 is answered already, by %2.</source>
        <translation>Frage %1 ist schon beantwortet, von %2.</translation>
    </message>
    <message>
        <source>Raise its limit or wait.</source>
        <translation>Erhöhen Sie ihr Limit, oder warten Sie.</translation>
    </message>
    <message>
        <source>Raise the limit or wait.</source>
        <translation>Erhöhen Sie das Limit, oder warten Sie.</translation>
    </message>
    <message>
        <source>Raise the run&apos;s limit or wait.</source>
        <translation>Erhöhen Sie das Limit des Laufs, oder warten Sie.</translation>
    </message>
    <message>
        <source>Reject it instead.</source>
        <translation>Lehnen Sie ihn stattdessen ab.</translation>
    </message>
    <message>
        <source>Release it.</source>
        <translation>Lassen Sie sie los.</translation>
    </message>
    <message>
        <source>Remove another dependency of it first.</source>
        <translation>Entfernen Sie zuerst eine andere Abhängigkeit davon.</translation>
    </message>
    <message>
        <source>Remove it and write the value out; &apos;defaults&apos; gives fields to all tasks.</source>
        <translation>Entfernen Sie ihn, und schreiben Sie den Wert aus; &apos;defaults&apos; gibt allen Aufgaben Felder.</translation>
    </message>
    <message>
        <source>Remove it, or write it as an escape such as \u0007 inside double quotes.</source>
        <translation>Entfernen Sie es, oder schreiben Sie es als \u0007 in Anführungszeichen.</translation>
    </message>
    <message>
        <source>Remove one dependency of it.</source>
        <translation>Entfernen Sie eine Abhängigkeit davon.</translation>
    </message>
    <message>
        <source>Remove the tag.</source>
        <translation>Entfernen Sie die Markierung.</translation>
    </message>
    <message>
        <source>Remove them.</source>
        <translation>Entfernen Sie sie.</translation>
    </message>
    <message>
        <source>Rerun it to be asked again.</source>
        <translation>Führen Sie es neu aus, um noch einmal gefragt zu werden.</translation>
    </message>
    <message>
        <source>Resume the run.</source>
        <translation>Setzen Sie den Lauf fort.</translation>
    </message>
    <message>
        <source>Resume, enable or reconnect one.</source>
        <translation>Lassen Sie eines nicht mehr leerlaufen, schalten Sie eines ein, oder verbinden Sie es neu.</translation>
    </message>
    <message>
        <source>Retry %1: what was skipped because of it comes back.</source>
        <translation>%1 wiederholen: Was deswegen übersprungen wurde, kommt dann zurück.</translation>
    </message>
    <message>
        <source>Retry or rerun it first.</source>
        <translation>Zuerst wiederholen oder neu ausführen.</translation>
    </message>
    <message>
        <source>Retry or rerun one of its tasks to reopen it first.</source>
        <translation>Wiederholen Sie zuerst eine seiner Aufgaben, um ihn wieder zu öffnen.</translation>
    </message>
    <message>
        <source>Retry or rerun one of its tasks to reopen it.</source>
        <translation>Wiederholen Sie eine seiner Aufgaben, um ihn wieder zu öffnen.</translation>
    </message>
    <message>
        <source>Retry the commit, then ask again.</source>
        <translation>Versuchen Sie das Schreiben noch einmal, und fragen Sie dann neu.</translation>
    </message>
    <message>
        <source>Run its plan anew.</source>
        <translation>Führen Sie seinen Plan neu aus.</translation>
    </message>
    <message>
        <source>Run its plan.</source>
        <translation>Führen Sie seinen Plan aus.</translation>
    </message>
    <message>
        <source>Save it as UTF-8.</source>
        <translation>Speichern Sie sie als UTF-8.</translation>
    </message>
    <message>
        <source>Say what is to change, e.g. timeout=&apos;5m&apos;.</source>
        <translation>Nennen Sie, was sich ändern soll, z. B. timeout=&apos;5m&apos;.</translation>
    </message>
    <message>
        <source>Say why in some words, for the others.</source>
        <translation>Sagen Sie den anderen mit einigen Worten, warum.</translation>
    </message>
    <message>
        <source>See the schema for the fields of a task.</source>
        <translation>Die Felder einer Aufgabe stehen in der Beschreibung des Formats.</translation>
    </message>
    <message>
        <source>See the schema for what the field takes.</source>
        <translation>Was das Feld annimmt, steht in der Beschreibung des Formats.</translation>
    </message>
    <message>
        <source>See what is, by `starloom ps`.</source>
        <translation>Was reserviert ist, zeigt `starloom ps`.</translation>
    </message>
    <message>
        <source>Simulated failure of attempt %1: %2.</source>
        <translation>Simulierter Fehlschlag von Versuch %1: %2.</translation>
    </message>
    <message>
        <source>Split the plan.</source>
        <translation>Teilen Sie den Plan.</translation>
    </message>
    <message>
        <source>Start it again to go on.</source>
        <translation>Starten Sie sie neu, um fortzufahren.</translation>
    </message>
    <message>
        <source>Start it again to run more.</source>
        <translation>Starten Sie sie neu, um mehr auszuführen.</translation>
    </message>
    <message>
        <source>Start its plan for another run.</source>
        <translation>Starten Sie seinen Plan für einen weiteren Lauf.</translation>
    </message>
    <message>
        <source>Start the run.</source>
        <translation>Starten Sie den Lauf.</translation>
    </message>
    <message>
        <source>Steer it as it is.</source>
        <translation>Steuern Sie ihn, wie er ist.</translation>
    </message>
    <message>
        <source>Step another one.</source>
        <translation>Nehmen Sie eine andere.</translation>
    </message>
    <message>
        <source>Take the bypass back before it has ended.</source>
        <translation>Nehmen Sie die Überbrückung zurück, bevor sie endet.</translation>
    </message>
    <message>
        <source>Tasks that have started keep their dependencies.</source>
        <translation>Aufgaben, die gestartet sind, behalten ihre Abhängigkeiten.</translation>
    </message>
    <message>
        <source>That %1 asked was over before it asked again.</source>
        <translation>Was %1 fragte, war vorbei, ehe es noch einmal fragte.</translation>
    </message>
    <message>
        <source>The %1 cannot be had from the keyring: %2.</source>
        <translation>Das %1 ist aus dem Schlüsselbund nicht zu bekommen: %2.</translation>
    </message>
    <message>
        <source>The %1 cannot be read: %2 (%3).</source>
        <translation>Das %1 ist nicht zu lesen: %2 (%3).</translation>
    </message>
    <message>
        <source>The %1 cannot be the value of a variable: it has more than %2 bytes.</source>
        <translation>Das %1 kann kein Wert einer Variablen sein: Es hat mehr als %2 Bytes.</translation>
    </message>
    <message>
        <source>The %1 cannot be the value of a variable: it holds a NUL character or more than %2 bytes.</source>
        <translation>Das %1 kann kein Wert einer Variablen sein: Es enthält ein NUL-Zeichen oder mehr als %2 Bytes.</translation>
    </message>
    <message>
        <source>The %1 has not been given within %2 s. Is the keyring unlocked, the disk there?</source>
        <translation>Das %1 kam nicht innerhalb von %2 s. Ist der Schlüsselbund offen, der Datenträger da?</translation>
    </message>
    <message>
        <source>The %1 is empty.</source>
        <translation>Das %1 ist leer.</translation>
    </message>
    <message>
        <source>The %1 is no text in UTF-8.</source>
        <translation>Das %1 ist kein Text in UTF-8.</translation>
    </message>
    <message>
        <source>The %1 needs the package keyring, which is not installed: pip install &apos;starloom[secrets]&apos;.</source>
        <translation>Das %1 braucht das Paket keyring, das nicht installiert ist: pip install &apos;starloom[secrets]&apos;.</translation>
    </message>
    <message>
        <source>The %1 of %2 is no text in UTF-8, and this agent is given it as text.</source>
        <translation>%1 von %2 ist kein Text in UTF-8, und dieser Agent bekommt es als Text.</translation>
    </message>
    <message>
        <source>The Dask scheduler at %1 cannot be reached: %2</source>
        <translation>Der Dask-Scheduler unter %1 ist nicht erreichbar: %2</translation>
    </message>
    <message>
        <source>The Dask worker %1 of %2 has gone.</source>
        <translation>Der Dask-Worker %1 von %2 ist weg.</translation>
    </message>
    <message>
        <source>The Dask worker at %1 went away.</source>
        <translation>Der Dask-Worker unter %1 ist weg.</translation>
    </message>
    <message>
        <source>The JSON at the end of the agent&apos;s last message does not fit the task&apos;s schema at %1: %2.</source>
        <translation>Das JSON am Ende der letzten Nachricht des Agenten passt an der Stelle %1 nicht zum Schema der Aufgabe: %2.</translation>
    </message>
    <message>
        <source>The JSON at the end of the agent&apos;s last message does not fit the task&apos;s schema: %1.</source>
        <translation>Das JSON am Ende der letzten Nachricht des Agenten passt nicht zum Schema der Aufgabe: %1.</translation>
    </message>
    <message>
        <source>The UFO server at %1 answered the registration with %2, which is not known here; it may be newer than what is spoken here.</source>
        <translation>Der UFO-Server bei %1 hat die Anmeldung mit %2 beantwortet, was hier nicht bekannt ist; er ist vielleicht neuer als das, was hier gesprochen wird.</translation>
    </message>
    <message>
        <source>The UFO server at %1 cannot be reached: %2. Check the address, and that it runs.</source>
        <translation>Der UFO-Server bei %1 ist nicht zu erreichen: %2. Prüfen Sie die Adresse und ob er läuft.</translation>
    </message>
    <message>
        <source>The UFO server at %1 did not register %2: %3.</source>
        <translation>Der UFO-Server bei %1 hat die Anmeldung für %2 abgelehnt: %3.</translation>
    </message>
    <message>
        <source>The UFO server at %1 does not answer within %2 s.</source>
        <translation>Der UFO-Server bei %1 antwortet nicht innerhalb von %2 s.</translation>
    </message>
    <message>
        <source>The UFO server at %1 does not take the connection (HTTP status %2); check the path of its address, which is /ws mostly.</source>
        <translation>Der UFO-Server bei %1 nimmt die Verbindung nicht an (HTTP-Status %2); prüfen Sie den Pfad der Adresse, meist /ws.</translation>
    </message>
    <message>
        <source>The UFO server at %1 lets nobody in with this token (HTTP status %2); it printed its key at its start: keep it where the option `token` says.</source>
        <translation>Der UFO-Server bei %1 lässt mit diesem Token niemanden ein (HTTP-Status %2); seinen Schlüssel hat er beim Start ausgegeben: Legen Sie ihn dorthin, wo die Option `token` hinzeigt.</translation>
    </message>
    <message>
        <source>The UFO server at %1 lets nobody in without a token (HTTP status %2); it printed its key at its start: keep it where the option `token` says.</source>
        <translation>Der UFO-Server bei %1 lässt ohne Token niemanden ein (HTTP-Status %2); seinen Schlüssel hat er beim Start ausgegeben: Legen Sie ihn dorthin, wo die Option `token` hinzeigt.</translation>
    </message>
    <message>
        <source>The UFO server at %1 refuses the connection; check the option `token`. %2</source>
        <translation>Der UFO-Server bei %1 lehnt die Verbindung ab; prüfen Sie die Option `token`. %2</translation>
    </message>
    <message>
        <source>The UFO server says that its agent %1 is not there any more.</source>
        <translation>Der UFO-Server sagt, dass sein Agent %1 nicht mehr da ist.</translation>
    </message>
    <message>
        <source>The agent broke off before it began. %1</source>
        <translation>Der Agent hat abgebrochen, bevor er begann. %1</translation>
    </message>
    <message>
        <source>The agent broke off. %1</source>
        <translation>Der Agent hat abgebrochen. %1</translation>
    </message>
    <message>
        <source>The agent cannot be started on the other machine: %1</source>
        <translation>Der Agent lässt sich auf dem anderen Rechner nicht starten: %1</translation>
    </message>
    <message>
        <source>The agent did not begin. %1</source>
        <translation>Der Agent hat nicht begonnen. %1</translation>
    </message>
    <message>
        <source>The agent gave the task up: %1.</source>
        <translation>Der Agent hat die Aufgabe aufgegeben: %1.</translation>
    </message>
    <message>
        <source>The agent is not paused.</source>
        <translation>Der Agent ist nicht angehalten.</translation>
    </message>
    <message>
        <source>The agent is paused already.</source>
        <translation>Der Agent ist schon angehalten.</translation>
    </message>
    <message>
        <source>The agent may change only what its scope holds; attach it with a wider one if that is intended.</source>
        <translation>Der Agent darf nur ändern, was in seinem Bereich liegt; fügen Sie ihn mit einem weiteren hinzu, wenn das gewollt ist.</translation>
    </message>
    <message>
        <source>The agent may still work there; it is ended as soon as its machine is reached again.</source>
        <translation>Der Agent arbeitet dort vielleicht noch; er wird beendet, sobald sein Rechner wieder erreichbar ist.</translation>
    </message>
    <message>
        <source>The agent refuses to do this task.</source>
        <translation>Der Agent weigert sich, diese Aufgabe auszuführen.</translation>
    </message>
    <message>
        <source>The agent says that it was told to stop, and nobody here has told it.</source>
        <translation>Der Agent sagt, er sollte aufhören, und hier hat ihm das niemand gesagt.</translation>
    </message>
    <message>
        <source>The agent stopped for a reason that is not known here: %1.</source>
        <translation>Der Agent hörte aus einem Grund auf, der hier nicht bekannt ist: %1.</translation>
    </message>
    <message>
        <source>The agent stopped in the middle, as it had asked its model as often as it may; give it less.</source>
        <translation>Der Agent hörte mittendrin auf, da er sein Modell so oft gefragt hatte, wie er darf; geben Sie ihm weniger.</translation>
    </message>
    <message>
        <source>The agent stopped in the middle, as it had used up all the tokens it may use; give it less.</source>
        <translation>Der Agent hörte mittendrin auf, da er alle erlaubten Tokens verbraucht hatte; geben Sie ihm weniger.</translation>
    </message>
    <message>
        <source>The agent&apos;s last message does not end with JSON, which the task expects; ask for it in the prompt.</source>
        <translation>Die letzte Nachricht des Agenten endet nicht mit JSON, das die Aufgabe erwartet; verlangen Sie es im Prompt.</translation>
    </message>
    <message>
        <source>The agent&apos;s last message has more than %1 MiB; have it write files instead.</source>
        <translation>Die letzte Nachricht des Agenten hat mehr als %1 MiB; lassen Sie ihn stattdessen Dateien schreiben.</translation>
    </message>
    <message>
        <source>The agent&apos;s process ended before it answered.</source>
        <translation>Der Prozess des Agenten endete, bevor er geantwortet hat.</translation>
    </message>
    <message>
        <source>The agent&apos;s process ended before it began.</source>
        <translation>Der Prozess des Agenten endete, bevor er begonnen hat.</translation>
    </message>
    <message>
        <source>The agent&apos;s process ended with exit code %1 before it answered.</source>
        <translation>Der Prozess des Agenten endete mit Exit-Code %1, bevor er geantwortet hat.</translation>
    </message>
    <message>
        <source>The agent&apos;s process ended with exit code %1 before it began.</source>
        <translation>Der Prozess des Agenten endete mit Exit-Code %1, bevor er begonnen hat.</translation>
    </message>
    <message>
        <source>The agent&apos;s process was killed (signal %1) before it answered.</source>
        <translation>Der Prozess des Agenten wurde von außen beendet (Signal %1), bevor er geantwortet hat.</translation>
    </message>
    <message>
        <source>The agent&apos;s process was killed (signal %1) before it began.</source>
        <translation>Der Prozess des Agenten wurde von außen beendet (Signal %1), bevor er begonnen hat.</translation>
    </message>
    <message>
        <source>The agent&apos;s server answers no heartbeats; it was last heard %1 s ago.</source>
        <translation>Der Server des Agenten beantwortet keine Lebenszeichen; zuletzt war er vor %1 s zu hören.</translation>
    </message>
    <message>
        <source>The agent&apos;s server broke off. %1</source>
        <translation>Der Server des Agenten hat das Gespräch gestört. %1</translation>
    </message>
    <message>
        <source>The agent&apos;s server ended another task (%1) than it was given.</source>
        <translation>Der Server des Agenten hat eine andere Aufgabe (%1) beendet, als ihm gegeben war.</translation>
    </message>
    <message>
        <source>The agent&apos;s server ended the task in a way that is not known here: %1.</source>
        <translation>Der Server des Agenten hat die Aufgabe auf eine Weise beendet, die hier nicht bekannt ist: %1.</translation>
    </message>
    <message>
        <source>The agent&apos;s server reports an error: %1.</source>
        <translation>Der Server des Agenten meldet einen Fehler: %1.</translation>
    </message>
    <message>
        <source>The answer to question %1 is empty.</source>
        <translation>Die Antwort auf Frage %1 ist leer.</translation>
    </message>
    <message>
        <source>The attempt was stopped from outside.</source>
        <translation>Der Versuch wurde von außen gestoppt.</translation>
    </message>
    <message>
        <source>The certificate of %1 is not trusted here: %2.</source>
        <translation>Dem Zertifikat von %1 wird hier nicht vertraut: %2.</translation>
    </message>
    <message>
        <source>The certificate of %1 is not trusted here: %2. Add its authority to those of this system, or name the file with that in SSL_CERT_FILE; or correct the address.</source>
        <translation>Dem Zertifikat von %1 wird hier nicht vertraut: %2. Fügen Sie dessen Zertifizierungsstelle zu denen dieses Systems hinzu, oder nennen Sie die Datei damit in SSL_CERT_FILE; oder berichtigen Sie die Adresse.</translation>
    </message>
    <message>
        <source>The command was interrupted from outside, or its machine was started anew; how it ended is not known.</source>
        <translation>Der Befehl wurde von außen unterbrochen, oder sein Rechner wurde neu gestartet; wie er endete, ist nicht bekannt.</translation>
    </message>
    <message>
        <source>The command&apos;s wrapper could not run it: %1.</source>
        <translation>Die Hülle des Befehls konnte ihn nicht ausführen: %1.</translation>
    </message>
    <message>
        <source>The condition of agent %1: %2</source>
        <translation>Die Bedingung des Agenten %1: %2</translation>
    </message>
    <message>
        <source>The connection broke off.</source>
        <translation>Die Verbindung brach ab.</translation>
    </message>
    <message>
        <source>The connection to the Dask scheduler broke.</source>
        <translation>Die Verbindung zum Dask-Scheduler ist abgerissen.</translation>
    </message>
    <message>
        <source>The connection to the agent&apos;s server is gone.</source>
        <translation>Die Verbindung zum Server des Agenten ist weg.</translation>
    </message>
    <message>
        <source>The device does not drain.</source>
        <translation>Das Gerät läuft nicht leer.</translation>
    </message>
    <message>
        <source>The device drains already.</source>
        <translation>Das Gerät läuft schon leer.</translation>
    </message>
    <message>
        <source>The device is being reached.</source>
        <translation>Das Gerät wird gerade verbunden.</translation>
    </message>
    <message>
        <source>The device is disabled already.</source>
        <translation>Das Gerät ist schon ausgeschaltet.</translation>
    </message>
    <message>
        <source>The device is enabled already.</source>
        <translation>Das Gerät ist schon eingeschaltet.</translation>
    </message>
    <message>
        <source>The device is not suspended.</source>
        <translation>Das Gerät ist nicht ausgesetzt.</translation>
    </message>
    <message>
        <source>The directory for the attempt&apos;s files cannot be made: %1.</source>
        <translation>Das Verzeichnis für die Dateien des Versuchs lässt sich nicht anlegen: %1.</translation>
    </message>
    <message>
        <source>The engine halted: %1</source>
        <translation>Die Maschine steht: %1</translation>
    </message>
    <message>
        <source>The engine is halted: %1</source>
        <translation>Die Maschine steht: %1</translation>
    </message>
    <message>
        <source>The engine is shutting down.</source>
        <translation>Die Maschine wird beendet.</translation>
    </message>
    <message>
        <source>The engine was shut down.</source>
        <translation>Die Maschine wurde beendet.</translation>
    </message>
    <message>
        <source>The file %1 cannot be read on the other machine: %2.</source>
        <translation>Die Datei %1 ist auf dem anderen Rechner nicht zu lesen: %2.</translation>
    </message>
    <message>
        <source>The file %1 cannot be read: %2.</source>
        <translation>Die Datei %1 ist nicht zu lesen: %2.</translation>
    </message>
    <message>
        <source>The file %1 cannot be written on the other machine: %2.</source>
        <translation>Die Datei %1 ist auf dem anderen Rechner nicht zu schreiben: %2.</translation>
    </message>
    <message>
        <source>The file %1 cannot be written: %2.</source>
        <translation>Die Datei %1 ist nicht zu schreiben: %2.</translation>
    </message>
    <message>
        <source>The file %1 lies outside %2; give a path in that folder.</source>
        <translation>Die Datei %1 liegt außerhalb von %2; geben Sie einen Pfad in diesem Ordner an.</translation>
    </message>
    <message>
        <source>The file %1 of another attempt is in the way.</source>
        <translation>Die Datei %1 eines anderen Versuchs ist im Weg.</translation>
    </message>
    <message>
        <source>The files of the attempt can be read no more: %1.</source>
        <translation>Die Dateien des Versuchs sind nicht mehr zu lesen: %1.</translation>
    </message>
    <message>
        <source>The files of the attempt cannot be made in %1 on the other machine; %2</source>
        <translation>Die Dateien des Versuchs lassen sich in %1 auf dem anderen Rechner nicht anlegen; %2</translation>
    </message>
    <message>
        <source>The files of the attempt cannot be written here: %1.</source>
        <translation>Die Dateien des Versuchs lassen sich hier nicht schreiben: %1.</translation>
    </message>
    <message>
        <source>The fleet is not reserved.</source>
        <translation>Die Flotte ist nicht reserviert.</translation>
    </message>
    <message>
        <source>The fleet is reserved by %1 for another %2: %3.</source>
        <translation>Die Flotte ist noch für %2 von %1 reserviert: %3.</translation>
    </message>
    <message>
        <source>The group %1 has no limit, as the plan limits only %2: is it that one?</source>
        <translation>Für die Gruppe %1 gilt kein Limit, denn der Plan begrenzt nur %2: Ist die gemeint?</translation>
    </message>
    <message>
        <source>The group %1 is not reached yet.</source>
        <translation>Die Gruppe %1 ist noch nicht erreicht.</translation>
    </message>
    <message>
        <source>The group %1 runs nothing itself; give %2 to a member.</source>
        <translation>Die Gruppe %1 führt selbst nichts aus; geben Sie %2 an ein Mitglied.</translation>
    </message>
    <message>
        <source>The in-process device %1 cannot do %2 tasks; %3 can.</source>
        <translation>Das In-Process-Gerät %1 kann keine %2-Aufgaben ausführen; das kann %3.</translation>
    </message>
    <message>
        <source>The journal %1 cannot be locked (%2). Put it onto a local disk.</source>
        <translation>Das Journal %1 kann nicht gesperrt werden (%2). Legen Sie es auf eine lokale Platte.</translation>
    </message>
    <message>
        <source>The journal %1 cannot be written: %2 beside it cannot be made (%3). Name a folder that you can write to; it can still be read.</source>
        <translation>Das Journal %1 kann nicht geschrieben werden: %2 daneben kann nicht angelegt werden (%3). Nennen Sie einen Ordner, in den Sie schreiben können; gelesen werden kann es weiterhin.</translation>
    </message>
    <message>
        <source>The journal %1 is empty. There is nothing to read in it.</source>
        <translation>Das Journal %1 ist leer. Darin ist nichts zu lesen.</translation>
    </message>
    <message>
        <source>The journal %1 is in use by %2. Wait until it ends; meanwhile it can be read.</source>
        <translation>Das Journal %1 ist in Gebrauch: %2. Warten Sie, bis das endet; lesen können Sie es schon jetzt.</translation>
    </message>
    <message>
        <source>The journal %1 is open for reading only; nothing was kept.</source>
        <translation>Das Journal %1 ist nur zum Lesen offen; nichts wurde behalten.</translation>
    </message>
    <message>
        <source>The journal %1 was written by Starloom %2 in format %3; this version reads up to %4. Use that version or a newer one.</source>
        <translation>Das Journal %1 schrieb Starloom %2 im Format %3; diese Version liest bis %4. Nehmen Sie jene Version oder eine neuere.</translation>
    </message>
    <message>
        <source>The key %1 for %2 cannot be read: %3.</source>
        <translation>Der Schlüssel %1 für %2 ist nicht zu lesen: %3.</translation>
    </message>
    <message>
        <source>The layout places %1, which is no task of the plan; what it says of that is dropped.</source>
        <translation>Das Layout platziert %1, was keine Aufgabe des Plans ist; was es darüber sagt, wird weggelassen.</translation>
    </message>
    <message>
        <source>The limits of limit groups cannot be %1.</source>
        <translation>Die Limits von Gruppen können nicht %1 sein.</translation>
    </message>
    <message>
        <source>The link broke while the task was being started; it never began.</source>
        <translation>Die Verbindung riss ab, als die Aufgabe gestartet wurde; sie hat nicht begonnen.</translation>
    </message>
    <message>
        <source>The link is down, and what runs at its other end cannot be told to stop.</source>
        <translation>Die Verbindung ist unterbrochen, und was an ihrem anderen Ende läuft, kann nicht angehalten werden.</translation>
    </message>
    <message>
        <source>The link to %1 broke: %2.</source>
        <translation>Die Verbindung zu %1 ist abgerissen: %2.</translation>
    </message>
    <message>
        <source>The link to %1 failed: %2: %3.</source>
        <translation>Die Verbindung zu %1 ist fehlgeschlagen: %2: %3.</translation>
    </message>
    <message>
        <source>The link to %1 was let go.</source>
        <translation>Die Verbindung zu %1 wurde gelöst.</translation>
    </message>
    <message>
        <source>The link to the agent broke while it worked.</source>
        <translation>Die Verbindung zum Agenten riss ab, während er arbeitete.</translation>
    </message>
    <message>
        <source>The machine %1 and this program know no common way to talk, or it has no host key of the kind it is known by in %2: %3.</source>
        <translation>Der Rechner %1 und dieses Programm finden kein gemeinsames Verfahren, oder er hat keinen Host-Schlüssel der Art, unter der er in %2 bekannt ist: %3.</translation>
    </message>
    <message>
        <source>The machine %1 cannot be reached: %2. Check its name and port, and that its SSH server runs.</source>
        <translation>Der Rechner %1 ist nicht erreichbar: %2. Prüfen Sie Namen und Port, und ob sein SSH-Server läuft.</translation>
    </message>
    <message>
        <source>The machine %1 does not answer within %2 s; check its name, port and firewall.</source>
        <translation>Der Rechner %1 antwortet nicht innerhalb von %2 s; prüfen Sie Namen, Port und Firewall.</translation>
    </message>
    <message>
        <source>The machine %1 does not let %2 in: it accepts none of %3. Add the public key to the user&apos;s ~/.ssh/authorized_keys there, or name another key or user.</source>
        <translation>Der Rechner %1 lässt %2 nicht ein: Er nimmt weder %3. Tragen Sie dort den öffentlichen Schlüssel in ~/.ssh/authorized_keys ein, oder nennen Sie einen anderen Schlüssel oder Benutzer.</translation>
    </message>
    <message>
        <source>The marker %1 cannot be written (%2), and without it nothing is run.</source>
        <translation>Die Markierung %1 lässt sich nicht schreiben (%2), und ohne sie läuft nichts.</translation>
    </message>
    <message>
        <source>The marker %1 of the attempt has gone.</source>
        <translation>Die Markierung %1 des Versuchs ist weg.</translation>
    </message>
    <message>
        <source>The marker cannot be made in %1 on the other machine, and without it nothing is run; %2</source>
        <translation>Die Markierung lässt sich in %1 auf dem anderen Rechner nicht anlegen, und ohne sie läuft nichts; %2</translation>
    </message>
    <message>
        <source>The model %1 at %2 answers with no stream of chat completions, but with %3.</source>
        <translation>Das Modell %1 bei %2 antwortet nicht mit einem Strom von Chat-Completions, sondern mit %3.</translation>
    </message>
    <message>
        <source>The model %1 at %2 broke off in the middle: %3.</source>
        <translation>Das Modell %1 bei %2 brach mittendrin ab: %3.</translation>
    </message>
    <message>
        <source>The model %1 at %2 broke off in the middle: the connection was closed.</source>
        <translation>Das Modell %1 bei %2 brach mittendrin ab: Die Verbindung wurde geschlossen.</translation>
    </message>
    <message>
        <source>The model %1 at %2 fell silent in the middle; ask it by hand, or give it a longer `silence`.</source>
        <translation>Das Modell %1 bei %2 verstummte mittendrin; fragen Sie es von Hand, oder geben Sie ihm eine längere `silence`.</translation>
    </message>
    <message>
        <source>The model %1 at %2 gave up in the middle: %3.</source>
        <translation>Das Modell %1 bei %2 gab mittendrin auf: %3.</translation>
    </message>
    <message>
        <source>The model %1 at %2 sends something that is no chat completion: %3.</source>
        <translation>Das Modell %1 bei %2 sendet etwas, das keine Chat-Completion ist: %3.</translation>
    </message>
    <message>
        <source>The model %1 at %2 was silent for too long; ask it by hand, or give it a longer `silence`.</source>
        <translation>Das Modell %1 bei %2 schwieg zu lange; fragen Sie es von Hand, oder geben Sie ihm eine längere `silence`.</translation>
    </message>
    <message>
        <source>The model refuses to do this task: %1.</source>
        <translation>Das Modell lehnt diese Aufgabe ab: %1.</translation>
    </message>
    <message>
        <source>The model sends a line of more than %1 MiB; it was given up.</source>
        <translation>Das Modell sendet eine Zeile von mehr als %1 MiB; es wurde aufgegeben.</translation>
    </message>
    <message>
        <source>The model stopped in the middle, as it had used up all the tokens it may use; ask for less.</source>
        <translation>Das Modell hörte mittendrin auf, da es alle erlaubten Tokens verbraucht hatte; verlangen Sie weniger.</translation>
    </message>
    <message>
        <source>The model wants to use tools, and is given none here; ask it to answer in words.</source>
        <translation>Das Modell will Werkzeuge benutzen und bekommt hier keine; bitten Sie es, in Worten zu antworten.</translation>
    </message>
    <message>
        <source>The model&apos;s endpoint has cut the answer off by its content filter; word the prompt otherwise.</source>
        <translation>Der Endpunkt des Modells hat die Antwort durch seinen Inhaltsfilter abgeschnitten; formulieren Sie den Prompt anders.</translation>
    </message>
    <message>
        <source>The option %1 of question %2 allows it.</source>
        <translation>Die Auswahl %1 von Frage %2 erlaubt es.</translation>
    </message>
    <message>
        <source>The output file %1 is not complete: %2.</source>
        <translation>Die Ausgabedatei %1 ist nicht vollständig: %2.</translation>
    </message>
    <message>
        <source>The output of the attempt can be read no more: %1.</source>
        <translation>Die Ausgabe des Versuchs ist nicht mehr zu lesen: %1.</translation>
    </message>
    <message>
        <source>The program %1 cannot be executed; check its permissions (`chmod +x`).</source>
        <translation>Das Programm %1 lässt sich nicht ausführen; prüfen Sie seine Berechtigungen (`chmod +x`).</translation>
    </message>
    <message>
        <source>The program %1 cannot be started: %2.</source>
        <translation>Das Programm %1 lässt sich nicht starten: %2.</translation>
    </message>
    <message>
        <source>The program %1 cannot be started: its arguments or environment hold %2.</source>
        <translation>Das Programm %1 lässt sich nicht starten: Seine Argumente oder Umgebung enthalten %2.</translation>
    </message>
    <message>
        <source>The program %1 was not found on the other machine; check its name and the PATH there.</source>
        <translation>Das Programm %1 wurde auf dem anderen Rechner nicht gefunden; prüfen Sie seinen Namen und den PATH dort.</translation>
    </message>
    <message>
        <source>The program %1 was not found; check its name, or that its directory is in PATH.</source>
        <translation>Das Programm %1 wurde nicht gefunden; prüfen Sie seinen Namen, und ob sein Verzeichnis in PATH steht.</translation>
    </message>
    <message>
        <source>The program %1 was not found; check the path, and the interpreter its first line names.</source>
        <translation>Das Programm %1 wurde nicht gefunden; prüfen Sie den Pfad und den Interpreter in seiner ersten Zeile.</translation>
    </message>
    <message>
        <source>The program that ran it ended before it did.</source>
        <translation>Das Programm, in dem sie lief, endete vor ihr.</translation>
    </message>
    <message>
        <source>The program was started, and is no agent of the Agent Client Protocol: %1.</source>
        <translation>Das Programm wurde gestartet und ist kein Agent des Agent Client Protocol: %1.</translation>
    </message>
    <message>
        <source>The program was started, and is no agent of the Agent Client Protocol: %1. It printed %2.</source>
        <translation>Das Programm wurde gestartet und ist kein Agent des Agent Client Protocol: %1. Es gab aus: %2.</translation>
    </message>
    <message>
        <source>The quota at %1 is used up: %2. Raise it, or wait.</source>
        <translation>Das Kontingent bei %1 ist verbraucht: %2. Erhöhen Sie es, oder warten Sie.</translation>
    </message>
    <message>
        <source>The result is %1 bytes of JSON; at most %2 are kept. Write it to a file.</source>
        <translation>Das Ergebnis hat %1 Bytes JSON; behalten werden höchstens %2. Schreiben Sie es in eine Datei.</translation>
    </message>
    <message>
        <source>The result is nested more than %1 levels deep. Flatten it, or write it to a file.</source>
        <translation>Das Ergebnis ist mehr als %1 Ebenen tief geschachtelt. Machen Sie es flacher, oder schreiben Sie es in eine Datei.</translation>
    </message>
    <message>
        <source>The result is not JSON: %1.</source>
        <translation>Das Ergebnis ist kein JSON: %1.</translation>
    </message>
    <message>
        <source>The run %1 has ended: %2.</source>
        <translation>Der Lauf %1 hat geendet: %2.</translation>
    </message>
    <message>
        <source>The run %1 has not begun: its journal is empty.</source>
        <translation>Der Lauf %1 hat nicht begonnen: Sein Journal ist leer.</translation>
    </message>
    <message>
        <source>The run %1 is here already.</source>
        <translation>Der Lauf %1 ist schon hier.</translation>
    </message>
    <message>
        <source>The run %1 is not reserved.</source>
        <translation>Der Lauf %1 ist nicht reserviert.</translation>
    </message>
    <message>
        <source>The run %1 is reserved by %2 for another %3: %4.</source>
        <translation>Der Lauf %1 ist noch für %3 von %2 reserviert: %4.</translation>
    </message>
    <message>
        <source>The run %1: %2.</source>
        <translation>Der Lauf %1: %2.</translation>
    </message>
    <message>
        <source>The run goes on for everything already.</source>
        <translation>Der Lauf geht schon für alles weiter.</translation>
    </message>
    <message>
        <source>The run goes on only until %1, which does not need it.</source>
        <translation>Der Lauf geht nur bis %1 weiter; dafür wird sie nicht gebraucht.</translation>
    </message>
    <message>
        <source>The run goes on until there already.</source>
        <translation>Der Lauf geht schon bis dorthin weiter.</translation>
    </message>
    <message>
        <source>The run has an agent of that name already: %1.</source>
        <translation>Der Lauf hat schon einen Agenten dieses Namens: %1.</translation>
    </message>
    <message>
        <source>The run has ended.</source>
        <translation>Der Lauf hat geendet.</translation>
    </message>
    <message>
        <source>The run has no goal, and is %1.</source>
        <translation>Der Lauf hat kein Ziel und ist %1.</translation>
    </message>
    <message>
        <source>The run has not been started.</source>
        <translation>Der Lauf wurde nicht gestartet.</translation>
    </message>
    <message>
        <source>The run in %1 has not begun. There is nothing to export.</source>
        <translation>Der Lauf in %1 hat nicht begonnen. Es gibt nichts zu exportieren.</translation>
    </message>
    <message>
        <source>The run is %1 already.</source>
        <translation>Der Lauf ist schon so weit: %1.</translation>
    </message>
    <message>
        <source>The run is %1; only a paused run goes step by step.</source>
        <translation>Der Lauf ist nicht angehalten, Stand: %1; nur ein angehaltener geht Schritt für Schritt.</translation>
    </message>
    <message>
        <source>The run is %1; there is nothing to pause.</source>
        <translation>Der Lauf wird nicht ausgeführt, Stand: %1; es gibt nichts anzuhalten.</translation>
    </message>
    <message>
        <source>The run is %1; there is nothing to resume.</source>
        <translation>Der Lauf ist nicht angehalten, Stand: %1; es gibt nichts fortzusetzen.</translation>
    </message>
    <message>
        <source>The run is being cancelled already.</source>
        <translation>Der Lauf wird schon abgebrochen.</translation>
    </message>
    <message>
        <source>The run is not paused.</source>
        <translation>Der Lauf ist nicht angehalten.</translation>
    </message>
    <message>
        <source>The run is paused already.</source>
        <translation>Der Lauf ist schon angehalten.</translation>
    </message>
    <message>
        <source>The run is paused.</source>
        <translation>Der Lauf ist angehalten.</translation>
    </message>
    <message>
        <source>The run is still being cancelled.</source>
        <translation>Der Lauf wird noch abgebrochen.</translation>
    </message>
    <message>
        <source>The run keeps that name for others: %1.</source>
        <translation>Dieser Name ist für anderes vergeben: %1.</translation>
    </message>
    <message>
        <source>The run may have %1 tasks running at once and has %2.</source>
        <translation>Im Lauf dürfen %1 Aufgaben zugleich laufen, und es laufen %2.</translation>
    </message>
    <message>
        <source>The run was cancelled.</source>
        <translation>Der Lauf wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The run was cancelled; no task can be added to it.</source>
        <translation>Der Lauf wurde abgebrochen; es kann keine Aufgabe dazukommen.</translation>
    </message>
    <message>
        <source>The same of its edits wait for approval already.</source>
        <translation>Es warten schon dieselben seiner Änderungen auf Zustimmung.</translation>
    </message>
    <message>
        <source>The scheduler failed and stopped: %1. This is a defect.</source>
        <translation>Der Scheduler ist fehlgeschlagen und steht: %1. Das ist ein Fehler im Programm.</translation>
    </message>
    <message>
        <source>The schema of WfFormat has only letters, digits and - _ . in ids; for other programs %1.</source>
        <translation>Das Schema von WfFormat hat in Kennungen nur Buchstaben, Ziffern und - _ .; für andere Programme %1.</translation>
    </message>
    <message>
        <source>The scope of agent %1 cannot be %2 with %3 names.</source>
        <translation>Der Bereich des Agenten %1 kann nicht %2 mit %3 Namen sein.</translation>
    </message>
    <message>
        <source>The server closed the connection (%1).</source>
        <translation>Der Server hat die Verbindung geschlossen (%1).</translation>
    </message>
    <message>
        <source>The server did not answer the pings of the connection any more.</source>
        <translation>Der Server hat die Pings der Verbindung nicht mehr beantwortet.</translation>
    </message>
    <message>
        <source>The server did not take the task: %1.</source>
        <translation>Der Server hat die Aufgabe nicht angenommen: %1.</translation>
    </message>
    <message>
        <source>The server of %1 is gone: %2. `starloom runs` lists what is kept of its runs.</source>
        <translation>Der Server von %1 ist weg: %2. „starloom runs“ zeigt, was von seinen Läufen aufbewahrt ist.</translation>
    </message>
    <message>
        <source>The shell of the other machine did not do as it was told; its user needs a POSIX /bin/sh.</source>
        <translation>Die Shell des anderen Rechners tat nicht, was sie sollte; ihr Benutzer braucht eine POSIX-/bin/sh.</translation>
    </message>
    <message>
        <source>The simulated device %1 is lost; restore() brings it back.</source>
        <translation>Das simulierte Gerät %1 ist verloren; restore() bringt es zurück.</translation>
    </message>
    <message>
        <source>The simulated device %1 refused the connection; %2 more.</source>
        <translation>Das simulierte Gerät %1 nahm die Verbindung nicht an; noch %2 Mal.</translation>
    </message>
    <message>
        <source>The simulated device %1 went away.</source>
        <translation>Das simulierte Gerät %1 ist weg.</translation>
    </message>
    <message>
        <source>The system could not end the processes %1.</source>
        <translation>Das System konnte die Prozesse %1 nicht beenden.</translation>
    </message>
    <message>
        <source>The task has gone on with that answer.</source>
        <translation>Die Aufgabe ist mit dieser Antwort weitergelaufen.</translation>
    </message>
    <message>
        <source>The task&apos;s inputs are not JSON: %1.</source>
        <translation>Die Eingaben der Aufgabe sind kein JSON: %1.</translation>
    </message>
    <message>
        <source>The task&apos;s schema cannot be checked, as the process for that broke off; simplify the schema.</source>
        <translation>Das Schema der Aufgabe kann nicht geprüft werden, weil der Prozess dafür abbrach; vereinfachen Sie das Schema.</translation>
    </message>
    <message>
        <source>The task&apos;s schema cannot be checked: %1</source>
        <translation>Das Schema der Aufgabe kann nicht geprüft werden: %1</translation>
    </message>
    <message>
        <source>The tasks wait for a run from the beginning; what UFO recorded of an earlier one is kept as metadata.</source>
        <translation>Die Aufgaben warten auf einen Lauf von Anfang an; was UFO von einem früheren aufgezeichnet hat, bleibt als Metadaten erhalten.</translation>
    </message>
    <message>
        <source>The value is %1 bytes of JSON; at most %2 are kept.</source>
        <translation>Der Wert hat %1 Bytes JSON; höchstens %2 werden behalten.</translation>
    </message>
    <message>
        <source>The value is nested deeper than %1 levels; make it flatter.</source>
        <translation>Der Wert ist tiefer als %1 Ebenen geschachtelt; machen Sie ihn flacher.</translation>
    </message>
    <message>
        <source>The value is not JSON: %1.</source>
        <translation>Der Wert ist kein JSON: %1.</translation>
    </message>
    <message>
        <source>The working directory %1 cannot be entered: %2.</source>
        <translation>Das Arbeitsverzeichnis %1 ist nicht zugänglich: %2.</translation>
    </message>
    <message>
        <source>The working directory %1 does not exist or is no directory; create it or change `cwd`.</source>
        <translation>Das Arbeitsverzeichnis %1 gibt es nicht, oder es ist kein Verzeichnis; legen Sie es an, oder ändern Sie `cwd`.</translation>
    </message>
    <message>
        <source>There are no options in question %1.</source>
        <translation>Zu Frage %1 gibt es keine Auswahl.</translation>
    </message>
    <message>
        <source>There are two different devices %1. Give one of them another id, or make them equal.</source>
        <translation>Es gibt zwei verschiedene Geräte %1. Geben Sie einem davon eine andere Kennung, oder machen Sie sie gleich.</translation>
    </message>
    <message>
        <source>There is a run %1 already.</source>
        <translation>Es gibt schon einen Lauf %1.</translation>
    </message>
    <message>
        <source>There is another device %1 in the fleet.</source>
        <translation>In der Flotte gibt es ein anderes Gerät %1.</translation>
    </message>
    <message>
        <source>There is another run in %1. Remove that one first; this one stays in the trash.</source>
        <translation>In %1 ist ein anderer Lauf. Entfernen Sie zuerst den; dieser bleibt im Papierkorb.</translation>
    </message>
    <message>
        <source>There is no %1: the keyring has nothing of that name. Put it there with: %2</source>
        <translation>Es gibt kein %1: Im Schlüsselbund ist nichts dieses Namens. Legen Sie es dort ab mit: %2</translation>
    </message>
    <message>
        <source>There is no %1: this program was started without the variable %2. Set it, for example with `read -rs %3 &amp;&amp; export %4`, and start Starloom again.</source>
        <translation>Es gibt kein %1: Dieses Programm wurde ohne die Variable %2 gestartet. Setzen Sie sie, z. B. mit `read -rs %3 &amp;&amp; export %4`, und starten Sie Starloom neu.</translation>
    </message>
    <message>
        <source>There is no Python %1 on the other machine, which is needed to set a variable whose name is the shell&apos;s own or none to it; choose another name, or set the device&apos;s option `python`.</source>
        <translation>Auf dem anderen Rechner gibt es kein Python %1; es setzt Variablen, deren Name der Shell gehört oder für sie keiner ist; wählen Sie einen anderen Namen, oder setzen Sie die Option `python` des Geräts.</translation>
    </message>
    <message>
        <source>There is no connection to the Dask scheduler at %1.</source>
        <translation>Es gibt keine Verbindung zum Dask-Scheduler unter %1.</translation>
    </message>
    <message>
        <source>There is no device %1.</source>
        <translation>Es gibt kein Gerät %1.</translation>
    </message>
    <message>
        <source>There is no edit %1 in approval %2.</source>
        <translation>In Vorschlag %2 gibt es keine Änderung %1.</translation>
    </message>
    <message>
        <source>There is no fence %1.</source>
        <translation>Es gibt keine Sperre %1.</translation>
    </message>
    <message>
        <source>There is no journal %1. Look for its name, or start a run that keeps one there.</source>
        <translation>Es gibt kein Journal %1. Suchen Sie seinen Namen, oder starten Sie einen Lauf, der dort eines führt.</translation>
    </message>
    <message>
        <source>There is no kind of edit %1.</source>
        <translation>Es gibt keine Art von Änderung %1.</translation>
    </message>
    <message>
        <source>There is no model %1 at %2 (404: %3). Correct `model` or `url` of the device.</source>
        <translation>Es gibt kein Modell %1 bei %2 (404: %3). Berichtigen Sie `model` oder `url` des Geräts.</translation>
    </message>
    <message>
        <source>There is no option %1 in question %2.</source>
        <translation>Die Auswahl %1 gibt es in Frage %2 nicht.</translation>
    </message>
    <message>
        <source>There is no placement %1.</source>
        <translation>Es gibt keine Verteilung %1.</translation>
    </message>
    <message>
        <source>There is no question %1 in this run.</source>
        <translation>In diesem Lauf gibt es keine Frage %1.</translation>
    </message>
    <message>
        <source>There is no run %1 in %2 any more.</source>
        <translation>In %2 gibt es keinen Lauf %1 mehr.</translation>
    </message>
    <message>
        <source>There is no run %1.</source>
        <translation>Es gibt keinen Lauf %1.</translation>
    </message>
    <message>
        <source>There is no task %1 in this run.</source>
        <translation>In diesem Lauf gibt es keine Aufgabe %1.</translation>
    </message>
    <message>
        <source>There is no task %1.</source>
        <translation>Es gibt keine Aufgabe %1.</translation>
    </message>
    <message>
        <source>These questions are not alike, and one answer may not fit all of them.</source>
        <translation>Diese Fragen sind nicht gleichartig, und eine Antwort passt vielleicht nicht auf alle.</translation>
    </message>
    <message>
        <source>They are counted from 0 to %1.</source>
        <translation>Sie werden von 0 bis %1 gezählt.</translation>
    </message>
    <message>
        <source>They have ended already.</source>
        <translation>Sie haben schon geendet.</translation>
    </message>
    <message>
        <source>This run keeps no journal. Start it with one to be able to go back.</source>
        <translation>Dieser Lauf führt kein Journal. Starten Sie ihn mit einem, um zurückgehen zu können.</translation>
    </message>
    <message>
        <source>UFO does not say what the devices %1 are; add them to the plan or to a fleet file.</source>
        <translation>UFO sagt nicht, was die Geräte %1 sind; fügen Sie sie dem Plan oder einer Flottendatei hinzu.</translation>
    </message>
    <message>
        <source>Undo of that brings it back; or add it again.</source>
        <translation>Rückgängig machen bringt sie zurück; oder fügen Sie sie wieder hinzu.</translation>
    </message>
    <message>
        <source>Update the dependency to change its kind.</source>
        <translation>Ändern Sie stattdessen die Art der Abhängigkeit.</translation>
    </message>
    <message>
        <source>Use .yaml or .json.</source>
        <translation>Nehmen Sie .yaml oder .json.</translation>
    </message>
    <message>
        <source>Use 0 to 100 or one of %1.</source>
        <translation>Nehmen Sie 0 bis 100 oder eines von %1.</translation>
    </message>
    <message>
        <source>Use a whole number from 0 to 100 or a name.</source>
        <translation>Nehmen Sie eine ganze Zahl von 0 bis 100 oder einen Namen.</translation>
    </message>
    <message>
        <source>Use all, descendants, group with names of limit groups, or tasks with ids or patterns.</source>
        <translation>Schreiben Sie all, descendants, group mit Namen von Limitgruppen oder tasks mit IDs oder Mustern.</translation>
    </message>
    <message>
        <source>Use completed, failed, skipped.</source>
        <translation>Möglich sind completed, failed, skipped.</translation>
    </message>
    <message>
        <source>Use one of %1.</source>
        <translation>Möglich: %1.</translation>
    </message>
    <message>
        <source>Use one of drop, replace, next_attempt.</source>
        <translation>Möglich sind drop, replace und next_attempt.</translation>
    </message>
    <message>
        <source>Use some of %1.</source>
        <translation>Möglich sind: %1.</translation>
    </message>
    <message>
        <source>Wait for it, or rerun with cancel_running.</source>
        <translation>Warten Sie darauf, oder brechen Sie es vorher ab.</translation>
    </message>
    <message>
        <source>Wait until it asks.</source>
        <translation>Warten Sie, bis es fragt.</translation>
    </message>
    <message>
        <source>Wait until it has ended.</source>
        <translation>Warten Sie, bis er geendet hat.</translation>
    </message>
    <message>
        <source>Wait until the reservation ends; its holder can end it, others can break it.</source>
        <translation>Warten Sie, bis die Reservierung endet; wer reserviert hat, kann sie beenden, andere können sie aufheben.</translation>
    </message>
    <message>
        <source>Wait, or cancel it. Its slot is free meanwhile.</source>
        <translation>Warten Sie, oder brechen Sie sie ab. Ihr Platz ist inzwischen frei.</translation>
    </message>
    <message>
        <source>Wait, or cancel it; retries decide whether it is given elsewhere.</source>
        <translation>Warten Sie, oder brechen Sie sie ab; ob sie anderswo läuft, entscheiden die Wiederholungen.</translation>
    </message>
    <message>
        <source>Wait, or cancel what is being stopped.</source>
        <translation>Warten oder abbrechen, was angehalten wird.</translation>
    </message>
    <message>
        <source>Wait, or give a device more slots.</source>
        <translation>Warten Sie, oder geben Sie einem Gerät mehr Plätze.</translation>
    </message>
    <message>
        <source>Wait, or have one tried again now.</source>
        <translation>Warten Sie, oder lassen Sie eines jetzt wieder versuchen.</translation>
    </message>
    <message>
        <source>Wait, pause or detach the agent, or open the run&apos;s fence.</source>
        <translation>Warten Sie, halten Sie den Agenten an, entlassen Sie ihn, oder lassen Sie alles weitergehen.</translation>
    </message>
    <message>
        <source>WfFormat has no empty arguments; left out: the commands of %1.</source>
        <translation>WfFormat hat keine leeren Argumente; weggelassen: die Befehle von %1.</translation>
    </message>
    <message>
        <source>What answers at %1 is no UFO server: %2.</source>
        <translation>Was bei %1 antwortet, ist kein UFO-Server: %2.</translation>
    </message>
    <message>
        <source>What answers at %1 speaks no TLS (%2). Correct the port, or write http:// where that is meant.</source>
        <translation>Was unter %1 antwortet, spricht kein TLS (%2). Berichtigen Sie den Port, oder schreiben Sie http://, wo das gemeint ist.</translation>
    </message>
    <message>
        <source>What it has to be told takes %1 bytes, more than the %2 of a message.</source>
        <translation>Was ihm zu sagen ist, hat %1 Bytes, mehr als die %2 einer Nachricht.</translation>
    </message>
    <message>
        <source>What the model %1 was given is longer than its context: %2. Shorten the prompt, or have earlier tasks return less.</source>
        <translation>Was das Modell %1 bekam, ist länger als sein Kontext: %2. Kürzen Sie den Prompt, oder lassen Sie frühere Aufgaben weniger zurückgeben.</translation>
    </message>
    <message>
        <source>What the parents have left has more than %1 MiB, and this agent is given it as text. Have them return what is needed of it.</source>
        <translation>Was die Vorgänger hinterlassen haben, hat mehr als %1 MiB, und dieser Agent bekommt es als Text. Lassen Sie sie nur zurückgeben, was davon gebraucht wird.</translation>
    </message>
    <message>
        <source>What the task wrote to $STARLOOM_RESULT is larger than %1 MiB; keep large data in files and return their names.</source>
        <translation>Was die Aufgabe in $STARLOOM_RESULT geschrieben hat, ist größer als %1 MiB; legen Sie große Daten in Dateien ab, und geben Sie deren Namen zurück.</translation>
    </message>
    <message>
        <source>What the task wrote to $STARLOOM_RESULT is not JSON (NaN and Infinity are not).</source>
        <translation>Was die Aufgabe in $STARLOOM_RESULT geschrieben hat, ist kein JSON (NaN und Infinity sind keins).</translation>
    </message>
    <message>
        <source>When it ended the output file %1 had gone.</source>
        <translation>Als er endete, war die Ausgabedatei %1 weg.</translation>
    </message>
    <message>
        <source>When the attempt ended its files were not in %1; a result that it wrote there is lost.</source>
        <translation>Als der Versuch endete, waren seine Dateien nicht in %1; ein Ergebnis, das er dort geschrieben hat, ist verloren.</translation>
    </message>
    <message>
        <source>Whether the JSON at the end of the agent&apos;s last message fits the task&apos;s schema was not found out within %1 s; simplify the schema&apos;s patterns, and its parts that refer to others.</source>
        <translation>Ob das JSON am Ende der letzten Nachricht des Agenten zum Schema der Aufgabe passt, war innerhalb von %1 s nicht herauszufinden; vereinfachen Sie die Muster des Schemas und seine Teile, die auf andere verweisen.</translation>
    </message>
    <message>
        <source>Write [a, b], or one entry a line after &apos;- &apos;.</source>
        <translation>Schreiben Sie [a, b], oder je Zeile einen Eintrag nach „- “.</translation>
    </message>
    <message>
        <source>Write a finite number, or put it in quotes if it is text.</source>
        <translation>Schreiben Sie eine endliche Zahl, oder setzen Sie es in Anführungszeichen, wenn es Text ist.</translation>
    </message>
    <message>
        <source>Write a note, or reject the question.</source>
        <translation>Schreiben Sie eine Notiz, oder lehnen Sie die Frage ab.</translation>
    </message>
    <message>
        <source>Write it anew.</source>
        <translation>Schreiben Sie sie neu.</translation>
    </message>
    <message>
        <source>Write it to a file and give its name.</source>
        <translation>Schreiben Sie ihn in eine Datei, und geben Sie deren Namen an.</translation>
    </message>
    <message>
        <source>Write key: value, one a line.</source>
        <translation>Schreiben Sie Schlüssel: Wert, je Zeile einen.</translation>
    </message>
    <message>
        <source>Write text.</source>
        <translation>Schreiben Sie Text.</translation>
    </message>
    <message>
        <source>Write the value out; text that starts with * needs quotes.</source>
        <translation>Schreiben Sie den Wert aus; Text, der mit * beginnt, braucht Anführungszeichen.</translation>
    </message>
    <message>
        <source>Write the whole pair or the character itself.</source>
        <translation>Schreiben Sie das ganze Paar oder das Zeichen selbst.</translation>
    </message>
    <message>
        <source>`%1` tasks</source>
        <translation>`%1`-Aufgaben</translation>
    </message>
    <message>
        <source>`%1` tasks with files</source>
        <translation>`%1`-Aufgaben mit Dateien</translation>
    </message>
    <message>
        <source>a condition knows %1.</source>
        <translation>eine Bedingung kennt %1.</translation>
    </message>
    <message>
        <source>a condition takes no comments; remove what follows //.</source>
        <translation>eine Bedingung hat keine Kommentare; entfernen Sie, was auf // folgt.</translation>
    </message>
    <message>
        <source>a dependency of kind condition needs a condition, e.g. value.score &gt; 0.8</source>
        <translation>eine Abhängigkeit mit Bedingung braucht eine Bedingung, z. B. value.score &gt; 0.8</translation>
    </message>
    <message>
        <source>a device</source>
        <translation>ein Gerät</translation>
    </message>
    <message>
        <source>a device that offers %1</source>
        <translation>ein Gerät, das %1 bietet</translation>
    </message>
    <message>
        <source>a device that runs %1</source>
        <translation>ein Gerät, das %1 ausführt</translation>
    </message>
    <message>
        <source>a duration cannot be %1; it is 0 to %2 seconds, e.g. 90s, 10m, 1h30m</source>
        <translation>eine Dauer kann nicht %1 sein; sie hat 0 bis %2 Sekunden, z. B. 90s, 10m, 1h30m</translation>
    </message>
    <message>
        <source>a finite number</source>
        <translation>eine endliche Zahl</translation>
    </message>
    <message>
        <source>a key must be text, not a list or a mapping.</source>
        <translation>ein Schlüssel muss Text sein, keine Liste oder Zuordnung.</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>eine Liste</translation>
    </message>
    <message>
        <source>a local device, or another one that starts programs,</source>
        <translation>ein lokales Gerät oder ein anderes, das Programme startet,</translation>
    </message>
    <message>
        <source>a mapping</source>
        <translation>eine Zuordnung</translation>
    </message>
    <message>
        <source>a need is the id of a task or a mapping with &apos;task&apos;, not %1.</source>
        <translation>eine Abhängigkeit ist die Kennung einer Aufgabe oder eine Zuordnung mit &apos;task&apos;, nicht %1.</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>a part of the path is a file, not a folder.</source>
        <translation>ein Teil des Pfads ist eine Datei, kein Ordner.</translation>
    </message>
    <message>
        <source>a schema may refer only to its own parts, by #/$defs/NAME</source>
        <translation>ein Schema darf nur auf seine eigenen Teile verweisen, mit #/$defs/NAME</translation>
    </message>
    <message>
        <source>a task has no field %1 that can change.</source>
        <translation>eine Aufgabe hat kein Feld %1, das sich ändern lässt.</translation>
    </message>
    <message>
        <source>a text holds half a character (a lone surrogate such as \ud800).</source>
        <translation>ein Text enthält ein halbes Zeichen (ein einzelnes Surrogat wie \ud800).</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>eine ganze Zahl</translation>
    </message>
    <message>
        <source>a whole number of a sensible size</source>
        <translation>eine ganze Zahl von vernünftiger Größe</translation>
    </message>
    <message>
        <source>aborted</source>
        <translation>Abbruch des Laufs</translation>
    </message>
    <message>
        <source>an agent device</source>
        <translation>ein Agentengerät</translation>
    </message>
    <message>
        <source>an attempt was lost</source>
        <translation>ein Versuch ging verloren</translation>
    </message>
    <message>
        <source>an empty list</source>
        <translation>eine leere Liste</translation>
    </message>
    <message>
        <source>an empty mapping</source>
        <translation>eine leere Zuordnung</translation>
    </message>
    <message>
        <source>an in-process device of the host program that registered the handler</source>
        <translation>ein In-Process-Gerät des Programms, das den Handler angemeldet hat</translation>
    </message>
    <message>
        <source>another program</source>
        <translation>ein anderes Programm</translation>
    </message>
    <message>
        <source>approval %1, of edits by %2, is not answered</source>
        <translation>Vorschlag %1, Änderungen von %2, ist nicht beantwortet</translation>
    </message>
    <message>
        <source>cancelled by %1</source>
        <translation>abgebrochen von %1</translation>
    </message>
    <message>
        <source>cannot be used like this, not %1.</source>
        <translation>ist so nicht zu verwenden, nicht %1.</translation>
    </message>
    <message>
        <source>column %1</source>
        <translation>Spalte %1</translation>
    </message>
    <message>
        <source>critical task &apos;%1&apos; failed</source>
        <translation>die kritische Aufgabe „%1“ ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>device %1 lets %2 of the attempts fail</source>
        <translation>Gerät %1 lässt %2 der Versuche fehlschlagen</translation>
    </message>
    <message>
        <source>device %1 that runs %2</source>
        <translation>das Gerät %1, wenn es %2 ausführt</translation>
    </message>
    <message>
        <source>device &apos;%1&apos;</source>
        <translation>das Gerät „%1“</translation>
    </message>
    <message>
        <source>did you mean %1?</source>
        <translation>meinten Sie %1?</translation>
    </message>
    <message>
        <source>ended by itself, with exit code %1, before its device was reached</source>
        <translation>von selbst zu Ende, mit Exit-Code %1, bevor sein Gerät wieder erreicht war</translation>
    </message>
    <message>
        <source>ended once its device was reached</source>
        <translation>beendet, sobald sein Gerät wieder erreicht war</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>Exit-Code %1</translation>
    </message>
    <message>
        <source>has ended (%1)</source>
        <translation>hat geendet (%1)</translation>
    </message>
    <message>
        <source>in looks into lists and mappings; for a part of a text write output.contains(&quot;…&quot;).</source>
        <translation>in sucht in Listen und Zuordnungen; für einen Teil eines Textes schreiben Sie output.contains(&quot;…&quot;).</translation>
    </message>
    <message>
        <source>is no JSON Schema at %1: %2.</source>
        <translation>ist kein JSON-Schema, an der Stelle %1: %2.</translation>
    </message>
    <message>
        <source>is no JSON Schema: %1.</source>
        <translation>ist kein JSON-Schema: %1.</translation>
    </message>
    <message>
        <source>is running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>it cannot be read: %1.</source>
        <translation>sie ist nicht zu lesen: %1.</translation>
    </message>
    <message>
        <source>it cannot be written: %1.</source>
        <translation>sie ist nicht zu schreiben: %1.</translation>
    </message>
    <message>
        <source>it did not answer within %1 s</source>
        <translation>es antwortete nicht innerhalb von %1 s</translation>
    </message>
    <message>
        <source>it ended before it answered</source>
        <translation>es endete, bevor es antwortete</translation>
    </message>
    <message>
        <source>it ended the run when its time was over</source>
        <translation>nach Ablauf der Zeit endete der Lauf</translation>
    </message>
    <message>
        <source>it ends too early</source>
        <translation>sie endet zu früh</translation>
    </message>
    <message>
        <source>it has applied %1 times; raise its times if it is to go on.</source>
        <translation>sie griff %1 Mal; erhöhen Sie ihre Zahl, wenn es weitergehen soll.</translation>
    </message>
    <message>
        <source>it has gone on until %1, as wanted</source>
        <translation>er ist wie gewünscht bis %1 gegangen</translation>
    </message>
    <message>
        <source>it has used %1 tokens; %2 are allowed in a run</source>
        <translation>er hat %1 Tokens verbraucht; %2 sind in einem Lauf erlaubt</translation>
    </message>
    <message>
        <source>it is not a CEL expression</source>
        <translation>sie ist kein CEL-Ausdruck</translation>
    </message>
    <message>
        <source>it is not a regular file</source>
        <translation>es ist keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>it was approved</source>
        <translation>zugestimmt</translation>
    </message>
    <message>
        <source>it was approved by %1</source>
        <translation>zugestimmt von %1</translation>
    </message>
    <message>
        <source>it was bypassed and did not run; it has %1.</source>
        <translation>sie wurde überbrückt und lief nicht; sie hat %1.</translation>
    </message>
    <message>
        <source>it was only simulated on %1 and has not run.</source>
        <translation>sie wurde auf %1 nur simuliert und lief nicht.</translation>
    </message>
    <message>
        <source>it was rejected</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>it was rejected by %1</source>
        <translation>abgelehnt von %1</translation>
    </message>
    <message>
        <source>it was skipped when its time was over</source>
        <translation>nach Ablauf der Zeit übersprungen</translation>
    </message>
    <message>
        <source>it was taken out of the run</source>
        <translation>sie wurde aus dem Lauf genommen</translation>
    </message>
    <message>
        <source>it was withdrawn</source>
        <translation>zurückgezogen</translation>
    </message>
    <message>
        <source>it went on when its time was over</source>
        <translation>nach Ablauf der Zeit ging es weiter</translation>
    </message>
    <message>
        <source>its arguments and environment are longer than the system allows; pass large values in files</source>
        <translation>seine Argumente und Umgebung sind länger, als das System erlaubt; übergeben Sie große Werte in Dateien</translation>
    </message>
    <message>
        <source>its device could not be reached</source>
        <translation>ihr Gerät war nicht erreichbar</translation>
    </message>
    <message>
        <source>its submitter gave up</source>
        <translation>wer sie einreichte, hat aufgegeben</translation>
    </message>
    <message>
        <source>killed by %1</source>
        <translation>beendet durch %1</translation>
    </message>
    <message>
        <source>limit group %1 allows 0 at once</source>
        <translation>die Limitgruppe %1 erlaubt 0 zugleich</translation>
    </message>
    <message>
        <source>line %1, column %2</source>
        <translation>Zeile %1, Spalte %2</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>Zeile %1: %2</translation>
    </message>
    <message>
        <source>may still run on &apos;%1&apos;</source>
        <translation>läuft vielleicht noch auf „%1“</translation>
    </message>
    <message>
        <source>may still run on &apos;%1&apos; until it is reached</source>
        <translation>läuft vielleicht noch auf „%1“, bis es wieder erreicht ist</translation>
    </message>
    <message>
        <source>must be %1 or less, not %2.</source>
        <translation>muss %1 oder weniger sein, nicht %2.</translation>
    </message>
    <message>
        <source>must be %1 or more, not %2.</source>
        <translation>muss %1 oder mehr sein, nicht %2.</translation>
    </message>
    <message>
        <source>must be %1, not %2.</source>
        <translation>muss %1 sein, nicht %2.</translation>
    </message>
    <message>
        <source>must be a list of agents, not %1.</source>
        <translation>muss eine Liste von Agenten sein, nicht %1.</translation>
    </message>
    <message>
        <source>must be a scope, such as {tasks: build-*}, not %1.</source>
        <translation>muss ein Bereich sein, etwa {tasks: build-*}, nicht %1.</translation>
    </message>
    <message>
        <source>must be json, or a JSON Schema such as {type: object, required: [name]}, not %1.</source>
        <translation>muss json sein oder ein JSON-Schema wie {type: object, required: [name]}, nicht %1.</translation>
    </message>
    <message>
        <source>must be less than %1, not %2.</source>
        <translation>muss weniger als %1 sein, nicht %2.</translation>
    </message>
    <message>
        <source>must be more than %1, not %2.</source>
        <translation>muss mehr als %1 sein, nicht %2.</translation>
    </message>
    <message>
        <source>must be the id of a device, or a mapping with prefer and an id.</source>
        <translation>muss die Kennung eines Geräts sein, oder eine Zuordnung mit prefer und einer Kennung.</translation>
    </message>
    <message>
        <source>must be true, false, or a mapping with the value to complete with.</source>
        <translation>muss true, false oder eine Zuordnung mit dem Wert sein, mit dem sie endet.</translation>
    </message>
    <message>
        <source>must be what becomes of an edit that comes too late, not %1.</source>
        <translation>muss sagen, was aus einer zu späten Änderung wird, nicht %1.</translation>
    </message>
    <message>
        <source>must have %1 or more entries, not %2.</source>
        <translation>muss %1 oder mehr Einträge haben, nicht %2.</translation>
    </message>
    <message>
        <source>must have at most %1 characters, not %2.</source>
        <translation>darf höchstens %1 Zeichen haben, nicht %2.</translation>
    </message>
    <message>
        <source>must have at most %1 entries, not %2.</source>
        <translation>darf höchstens %1 Einträge haben, nicht %2.</translation>
    </message>
    <message>
        <source>must name a function as module:function, not %1.</source>
        <translation>muss eine Funktion als module:function nennen, nicht %1.</translation>
    </message>
    <message>
        <source>must not be empty, not %1.</source>
        <translation>darf nicht leer sein, nicht %1.</translation>
    </message>
    <message>
        <source>must not hold control characters such as line breaks, not %1.</source>
        <translation>darf keine Steuerzeichen wie Zeilenumbrüche enthalten, nicht %1.</translation>
    </message>
    <message>
        <source>no device takes %1: %2</source>
        <translation>kein Gerät nimmt %1: %2</translation>
    </message>
    <message>
        <source>no model is named; write llm:model@url, e.g. llm:qwen3@http://127.0.0.1:11434/v1.</source>
        <translation>kein Modell ist genannt; schreiben Sie llm:model@url, z. B. llm:qwen3@http://127.0.0.1:11434/v1.</translation>
    </message>
    <message>
        <source>no sign of life for %1 heartbeats of %2 s</source>
        <translation>kein Lebenszeichen seit %1 Herzschlägen von %2 s</translation>
    </message>
    <message>
        <source>no value</source>
        <translation>keinem Wert</translation>
    </message>
    <message>
        <source>nobody answered within %1</source>
        <translation>niemand hat in %1 geantwortet</translation>
    </message>
    <message>
        <source>nobody can be waited for %1; write more than 0, for example 90s or 10m</source>
        <translation>auf niemanden kann %1 gewartet werden; schreiben Sie mehr als 0, z. B. 90s oder 10m</translation>
    </message>
    <message>
        <source>nobody knows why</source>
        <translation>warum, weiß niemand</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>nothing is ready</source>
        <translation>nichts ist bereit</translation>
    </message>
    <message>
        <source>perhaps its disk is full or read-only, or a quota is used up: make room, or name another `state_directory`.</source>
        <translation>vielleicht ist seine Platte voll oder schreibgeschützt, oder ein Kontingent ist verbraucht: Schaffen Sie Platz, oder nennen Sie ein anderes `state_directory`.</translation>
    </message>
    <message>
        <source>process %1 on %2, since %3</source>
        <translation>Prozess %1 auf %2, seit %3</translation>
    </message>
    <message>
        <source>rate limited until %1</source>
        <translation>durch ein Anfragelimit gebremst bis %1</translation>
    </message>
    <message>
        <source>replaced</source>
        <translation>ersetzt</translation>
    </message>
    <message>
        <source>rerun</source>
        <translation>wird neu ausgeführt</translation>
    </message>
    <message>
        <source>retry cannot be %1; write how many more attempts there may be, 0 or more</source>
        <translation>Wiederholungen können nicht %1 sein; schreiben Sie, wie viele weitere Versuche es geben darf, 0 oder mehr</translation>
    </message>
    <message>
        <source>says no name.</source>
        <translation>nennt keinen Namen.</translation>
    </message>
    <message>
        <source>secret %1:%2</source>
        <translation>Geheimnis %1:%2</translation>
    </message>
    <message>
        <source>shutdown</source>
        <translation>Ende der Engine</translation>
    </message>
    <message>
        <source>skipped by %1</source>
        <translation>übersprungen von %1</translation>
    </message>
    <message>
        <source>skipped while it ran</source>
        <translation>übersprungen, während sie lief</translation>
    </message>
    <message>
        <source>stopped while it ran</source>
        <translation>gestoppt, während sie lief</translation>
    </message>
    <message>
        <source>tasks that are gone</source>
        <translation>Aufgaben, die es nicht mehr gibt</translation>
    </message>
    <message>
        <source>the alias *%1 is not allowed.</source>
        <translation>der Alias *%1 ist nicht erlaubt.</translation>
    </message>
    <message>
        <source>the anchor &amp;%1 is not allowed.</source>
        <translation>der Anker &amp;%1 ist nicht erlaubt.</translation>
    </message>
    <message>
        <source>the answer of %1 cannot be used: %2</source>
        <translation>die Antwort von %1 ist nicht zu verwenden: %2</translation>
    </message>
    <message>
        <source>the batch holds no edit.</source>
        <translation>es sind keine Änderungen darin.</translation>
    </message>
    <message>
        <source>the condition calls &apos;%1&apos;, which is not known; a condition knows %2.</source>
        <translation>die Bedingung ruft &apos;%1&apos; auf, das es nicht gibt; eine Bedingung kennt %2.</translation>
    </message>
    <message>
        <source>the condition calls &apos;%1&apos;, which is not known; did you mean &apos;%2&apos;?</source>
        <translation>die Bedingung ruft &apos;%1&apos; auf, das es nicht gibt; meinten Sie &apos;%2&apos;?</translation>
    </message>
    <message>
        <source>the condition compares or combines values of types that do not fit, such as null or a text and a number.</source>
        <translation>die Bedingung vergleicht oder verknüpft Werte, die nicht zueinander passen, etwa null oder einen Text mit einer Zahl.</translation>
    </message>
    <message>
        <source>the condition divides by zero.</source>
        <translation>die Bedingung teilt durch null.</translation>
    </message>
    <message>
        <source>the condition failed: %1.</source>
        <translation>die Bedingung ist gescheitert: %1.</translation>
    </message>
    <message>
        <source>the condition gives %1, not true or false.</source>
        <translation>die Bedingung ergibt %1, nicht true oder false.</translation>
    </message>
    <message>
        <source>the condition has %1 characters; at most %2 are allowed.</source>
        <translation>die Bedingung hat %1 Zeichen; erlaubt sind höchstens %2.</translation>
    </message>
    <message>
        <source>the condition has more than %1 of .all, .exists, .map and .filter.</source>
        <translation>die Bedingung hat mehr als %1 von .all, .exists, .map und .filter.</translation>
    </message>
    <message>
        <source>the condition is empty; write an expression such as value.score &gt; 0.8.</source>
        <translation>die Bedingung ist leer; schreiben Sie einen Ausdruck wie value.score &gt; 0.8.</translation>
    </message>
    <message>
        <source>the condition is not a CEL expression.</source>
        <translation>die Bedingung ist kein CEL-Ausdruck.</translation>
    </message>
    <message>
        <source>the condition is wrong at %1: %2.</source>
        <translation>die Bedingung ist falsch bei %1: %2.</translation>
    </message>
    <message>
        <source>the condition must write .%1(x, …) with a variable first.</source>
        <translation>in der Bedingung muss .%1(x, …) mit einer Variablen beginnen.</translation>
    </message>
    <message>
        <source>the condition names %1, which is not known; %2</source>
        <translation>die Bedingung nennt %1, das unbekannt ist; %2</translation>
    </message>
    <message>
        <source>the condition nests .all, .exists, .map or .filter in one another; use one level.</source>
        <translation>die Bedingung schachtelt .all, .exists, .map oder .filter ineinander; nehmen Sie eine Ebene.</translation>
    </message>
    <message>
        <source>the condition nests brackets deeper than %1 levels.</source>
        <translation>die Bedingung schachtelt Klammern tiefer als %1 Ebenen.</translation>
    </message>
    <message>
        <source>the condition would take too long: a macro such as .map or .all walks or copies too large a value.</source>
        <translation>die Bedingung brauchte zu lange: Ein Makro wie .map oder .all geht durch einen zu großen Wert oder kopiert ihn.</translation>
    </message>
    <message>
        <source>the dependencies form a cycle: %1.</source>
        <translation>die Abhängigkeiten bilden einen Kreis: %1.</translation>
    </message>
    <message>
        <source>the dependency %1 → %2 names %3, which is not a task.</source>
        <translation>die Abhängigkeit %1 → %2 nennt %3, und das ist keine Aufgabe.</translation>
    </message>
    <message>
        <source>the dependency would close the cycle %1.</source>
        <translation>die Abhängigkeit würde den Kreis %1 schließen.</translation>
    </message>
    <message>
        <source>the engine shut down</source>
        <translation>die Engine wurde beendet</translation>
    </message>
    <message>
        <source>the engine shut down before it had ended</source>
        <translation>die Engine wurde beendet, bevor sie fertig war</translation>
    </message>
    <message>
        <source>the field %1 is missing.</source>
        <translation>das Feld %1 fehlt.</translation>
    </message>
    <message>
        <source>the field &apos;task&apos; is missing; it names the task to wait for.</source>
        <translation>das Feld &apos;task&apos; fehlt; es nennt die Aufgabe, auf die gewartet wird.</translation>
    </message>
    <message>
        <source>the file has %1 MB; at most %2 MB are read.</source>
        <translation>die Datei hat %1 MB; gelesen werden höchstens %2 MB.</translation>
    </message>
    <message>
        <source>the file holds a character that YAML does not allow.</source>
        <translation>die Datei enthält ein Zeichen, das YAML nicht erlaubt.</translation>
    </message>
    <message>
        <source>the file holds several YAML documents; a plan is one.</source>
        <translation>die Datei enthält mehrere YAML-Dokumente; ein Plan ist eines.</translation>
    </message>
    <message>
        <source>the file is empty but for comments.</source>
        <translation>die Datei ist leer bis auf Kommentare.</translation>
    </message>
    <message>
        <source>the file is empty.</source>
        <translation>die Datei ist leer.</translation>
    </message>
    <message>
        <source>the file is not UTF-8 text.</source>
        <translation>die Datei ist kein UTF-8-Text.</translation>
    </message>
    <message>
        <source>the file nests deeper than %1 levels.</source>
        <translation>die Datei ist tiefer als %1 Ebenen geschachtelt.</translation>
    </message>
    <message>
        <source>the file or its folder does not exist.</source>
        <translation>die Datei oder ihr Ordner ist nicht vorhanden.</translation>
    </message>
    <message>
        <source>the first %1 are to fail</source>
        <translation>die ersten %1 sollen fehlschlagen</translation>
    </message>
    <message>
        <source>the gate %1 is not answered</source>
        <translation>die Freigabe %1 ist nicht beantwortet</translation>
    </message>
    <message>
        <source>the global limit is 0</source>
        <translation>das Limit aller Läufe ist 0</translation>
    </message>
    <message>
        <source>the graph is undirected, so it does not say which task waits for which.</source>
        <translation>der Graph ist ungerichtet und sagt daher nicht, welche Aufgabe auf welche wartet.</translation>
    </message>
    <message>
        <source>the handler &apos;%1&apos;</source>
        <translation>den Handler „%1“</translation>
    </message>
    <message>
        <source>the handler &apos;%1&apos; with files</source>
        <translation>den Handler „%1“ mit Dateien</translation>
    </message>
    <message>
        <source>the id %1 differs from the key %2.</source>
        <translation>die Kennung %1 weicht vom Schlüssel %2 ab.</translation>
    </message>
    <message>
        <source>the id %1 is used by more than one device.</source>
        <translation>die Kennung %1 haben mehrere Geräte.</translation>
    </message>
    <message>
        <source>the id %1 is used by more than one task.</source>
        <translation>die Kennung %1 haben mehrere Aufgaben.</translation>
    </message>
    <message>
        <source>the key %1 appears twice in the same mapping; it is on line %2 already.</source>
        <translation>der Schlüssel %1 steht zweimal in derselben Zuordnung; er steht schon in Zeile %2.</translation>
    </message>
    <message>
        <source>the key for %1 would travel unencrypted; use an https address.</source>
        <translation>der Schlüssel für %1 ginge unverschlüsselt auf die Reise; nehmen Sie eine https-Adresse.</translation>
    </message>
    <message>
        <source>the list is too short: %1.</source>
        <translation>die Liste ist zu kurz: %1.</translation>
    </message>
    <message>
        <source>the model %1 has not answered within %2 s.</source>
        <translation>das Modell %1 hat nicht innerhalb von %2 s geantwortet.</translation>
    </message>
    <message>
        <source>the model %1 has planned no task; say in more detail what is to be done.</source>
        <translation>das Modell %1 hat keine Aufgabe geplant; sagen Sie genauer, was zu tun ist.</translation>
    </message>
    <message>
        <source>the pattern of .matches(…) is no regular expression.</source>
        <translation>das Muster von .matches(…) ist kein regulärer Ausdruck.</translation>
    </message>
    <message>
        <source>the program that it was part of has ended</source>
        <translation>das Programm, zu dem er gehörte, ist beendet</translation>
    </message>
    <message>
        <source>the result of its parent</source>
        <translation>dem Ergebnis ihres Vorgängers</translation>
    </message>
    <message>
        <source>the run was cancelled</source>
        <translation>der Lauf wurde abgebrochen</translation>
    </message>
    <message>
        <source>the run&apos;s limit is 0</source>
        <translation>das Limit des Laufs ist 0</translation>
    </message>
    <message>
        <source>the schema has %1 characters, more than the %2 it may have.</source>
        <translation>das Schema hat %1 Zeichen, mehr als die erlaubten %2.</translation>
    </message>
    <message>
        <source>the schema is not JSON: %1.</source>
        <translation>das Schema ist kein JSON: %1.</translation>
    </message>
    <message>
        <source>the shell there went away</source>
        <translation>die Shell dort ist weg</translation>
    </message>
    <message>
        <source>the system allows no more processes now; run fewer tasks at once or raise `ulimit -u`</source>
        <translation>das System erlaubt jetzt keine weiteren Prozesse; führen Sie weniger zugleich aus, oder erhöhen Sie `ulimit -u`</translation>
    </message>
    <message>
        <source>the system does not know how to run it; a script needs a first line like #!/bin/sh</source>
        <translation>das System weiß nicht, wie es auszuführen ist; ein Skript braucht eine erste Zeile wie #!/bin/sh</translation>
    </message>
    <message>
        <source>the system has too many files open</source>
        <translation>das System hat zu viele Dateien offen</translation>
    </message>
    <message>
        <source>the tag %1 is not allowed; plans hold plain values only.</source>
        <translation>die Markierung %1 ist nicht erlaubt; Pläne enthalten nur einfache Werte.</translation>
    </message>
    <message>
        <source>the task is to fail</source>
        <translation>die Aufgabe soll fehlschlagen</translation>
    </message>
    <message>
        <source>the update of %1 names no field.</source>
        <translation>die Änderung von %1 nennt kein Feld.</translation>
    </message>
    <message>
        <source>the value and the output are too large for a condition.</source>
        <translation>der Wert und die Ausgabe sind zu groß für eine Bedingung.</translation>
    </message>
    <message>
        <source>the value has no %1.</source>
        <translation>der Wert hat kein %1.</translation>
    </message>
    <message>
        <source>the value holds %1 items in one place; a condition sees at most %2.</source>
        <translation>der Wert hat %1 Elemente an einer Stelle; eine Bedingung sieht höchstens %2.</translation>
    </message>
    <message>
        <source>the value it was given</source>
        <translation>dem Wert, der ihr gegeben wurde</translation>
    </message>
    <message>
        <source>the value nests deeper than %1 levels, too deep for a condition.</source>
        <translation>der Wert ist tiefer als %1 Ebenen geschachtelt, zu tief für eine Bedingung.</translation>
    </message>
    <message>
        <source>the values of its parents by id</source>
        <translation>den Werten ihrer Vorgänger nach Id</translation>
    </message>
    <message>
        <source>there is a task %1 already.</source>
        <translation>es gibt schon eine Aufgabe %1.</translation>
    </message>
    <message>
        <source>there is no permission; it cannot be read.</source>
        <translation>die Berechtigung fehlt; sie ist nicht zu lesen.</translation>
    </message>
    <message>
        <source>there is no permission; it cannot be written.</source>
        <translation>die Berechtigung fehlt; sie ist nicht zu schreiben.</translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation>es gibt keine solche Datei</translation>
    </message>
    <message>
        <source>there is no task %1.</source>
        <translation>es gibt keine Aufgabe %1.</translation>
    </message>
    <message>
        <source>there is not enough memory</source>
        <translation>es ist nicht genug Speicher da</translation>
    </message>
    <message>
        <source>this %1 is written in version %2 of the format; this Starloom reads %3.</source>
        <translation>dies (%1) hat Version %2 des Formats; dieses Starloom liest %3.</translation>
    </message>
    <message>
        <source>this is a folder, not a file.</source>
        <translation>dies ist ein Ordner, keine Datei.</translation>
    </message>
    <message>
        <source>this is not a plan in a format that can be read.</source>
        <translation>das ist kein Plan in einem lesbaren Format.</translation>
    </message>
    <message>
        <source>this program has too many files open; run fewer tasks at once or raise `ulimit -n`</source>
        <translation>dieses Programm hat zu viele Dateien offen; führen Sie weniger zugleich aus, oder erhöhen Sie `ulimit -n`</translation>
    </message>
    <message>
        <source>this program itself, since %1</source>
        <translation>dieses Programm selbst, seit %1</translation>
    </message>
    <message>
        <source>this user</source>
        <translation>diesen Benutzer</translation>
    </message>
    <message>
        <source>timeout</source>
        <translation>Zeitlimit</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true oder false</translation>
    </message>
    <message>
        <source>unknown field %1.</source>
        <translation>unbekanntes Feld %1.</translation>
    </message>
    <message>
        <source>whoever started it gave up</source>
        <translation>wer ihn startete, hat aufgegeben</translation>
    </message>
    <message>
        <source>whole characters</source>
        <translation>ganze Zeichen</translation>
    </message>
</context>
<context>
    <name>EngineTabs</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 shows the next engine.</source>
        <translation>%1 zeigt die nächste Engine.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message numerus="yes">
        <source>%n unread notification(s)</source>
        <translation>
            <numerusform>%n ungelesene Mitteilung</numerusform>
            <numerusform>%n ungelesene Mitteilungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>Trennen</translation>
    </message>
    <message>
        <source>Disconnect: its runs go on</source>
        <translation>Trennen: ihre Läufe gehen weiter</translation>
    </message>
    <message>
        <source>Engines</source>
        <translation>Engines</translation>
    </message>
</context>
<context>
    <name>EventKindsMenu</name>
    <message>
        <source>All of these</source>
        <translation>Alle davon</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Kinds of events</source>
        <translation>Arten von Ereignissen</translation>
    </message>
</context>
<context>
    <name>Events</name>
    <message>
        <source>%1 asked about %2</source>
        <translation>%1 zu %2 gefragt</translation>
    </message>
    <message>
        <source>%1 asks: %2</source>
        <translation>%1 fragt: %2</translation>
    </message>
    <message>
        <source>%1 came too late with %2, which were left out: %3</source>
        <translation>%1 kam mit %2 zu spät, das entfiel: %3</translation>
    </message>
    <message>
        <source>%1 can run other tasks than before</source>
        <translation>%1 kann andere Aufgaben ausführen als bisher</translation>
    </message>
    <message>
        <source>%1 cannot run %2: %3</source>
        <translation>%1 kann %2 nicht ausführen: %3</translation>
    </message>
    <message>
        <source>%1 could not answer: %2</source>
        <translation>%1 konnte nicht antworten: %2</translation>
    </message>
    <message>
        <source>%1 declared</source>
        <translation>%1 angemeldet</translation>
    </message>
    <message>
        <source>%1 does not answer: %2</source>
        <translation>%1 antwortet nicht: %2</translation>
    </message>
    <message>
        <source>%1 ends the run, as nobody answered in time</source>
        <translation>%1 beendet den Lauf, da niemand rechtzeitig geantwortet hat</translation>
    </message>
    <message>
        <source>%1 failed itself: %2</source>
        <translation>%1 hat selbst versagt: %2</translation>
    </message>
    <message>
        <source>%1 failed, attempt %2: %3</source>
        <translation>%1 ist fehlgeschlagen, Versuch %2: %3</translation>
    </message>
    <message>
        <source>%1 failed, attempt %2: %3; retry in %4</source>
        <translation>%1 ist fehlgeschlagen, Versuch %2: %3; neuer Versuch in %4</translation>
    </message>
    <message>
        <source>%1 failed, which is a warning, attempt %2: %3</source>
        <translation>%1 ist fehlgeschlagen (nur Warnung), Versuch %2: %3</translation>
    </message>
    <message>
        <source>%1 failed, which is critical, attempt %2: %3</source>
        <translation>%1 ist gescheitert, was kritisch ist, Versuch %2: %3</translation>
    </message>
    <message>
        <source>%1 goes to another device, attempt %2 does not count: %3</source>
        <translation>%1 geht auf ein anderes Gerät, Versuch %2 zählt nicht: %3</translation>
    </message>
    <message>
        <source>%1 has %2 now</source>
        <translation>%1 hat jetzt %2</translation>
    </message>
    <message>
        <source>%1 has a breakpoint</source>
        <translation>%1 hat einen Haltepunkt</translation>
    </message>
    <message>
        <source>%1 has ended</source>
        <translation>%1 ist beendet</translation>
    </message>
    <message>
        <source>%1 has no breakpoint any more</source>
        <translation>%1 hat keinen Haltepunkt mehr</translation>
    </message>
    <message>
        <source>%1 has no limit of slots</source>
        <translation>%1 hat beliebig viele Plätze</translation>
    </message>
    <message>
        <source>%1 has stopped at its breakpoint</source>
        <translation>%1 hat an seinem Haltepunkt angehalten</translation>
    </message>
    <message>
        <source>%1 held</source>
        <translation>%1 zurückgehalten</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 ist %2</translation>
    </message>
    <message>
        <source>%1 is being reached, attempt %2</source>
        <translation>%1 wird gesucht, Versuch %2</translation>
    </message>
    <message>
        <source>%1 is connected</source>
        <translation>%1 ist verbunden</translation>
    </message>
    <message>
        <source>%1 is done</source>
        <translation>%1 ist fertig</translation>
    </message>
    <message>
        <source>%1 is held</source>
        <translation>%1 wird zurückgehalten</translation>
    </message>
    <message>
        <source>%1 is no longer reserved by %2</source>
        <translation>%1 ist nicht mehr von %2 reserviert</translation>
    </message>
    <message>
        <source>%1 is not asked about %2: its condition says no</source>
        <translation>%1 wird zu %2 nicht gefragt: Seine Bedingung sagt nein</translation>
    </message>
    <message>
        <source>%1 is on trial: one task at a time until one works</source>
        <translation>%1 ist auf Probe: eine Aufgabe nach der anderen, bis eine gelingt</translation>
    </message>
    <message>
        <source>%1 is overdue on %2, attempt %3: it was expected to take %4</source>
        <translation>%1 ist auf %2 überfällig, Versuch %3: erwartet waren %4</translation>
    </message>
    <message>
        <source>%1 is ready</source>
        <translation>%1 ist bereit</translation>
    </message>
    <message>
        <source>%1 is refused: %2</source>
        <translation>%1 ist abgelehnt: %2</translation>
    </message>
    <message>
        <source>%1 is released</source>
        <translation>%1 ist losgelassen</translation>
    </message>
    <message>
        <source>%1 is reserved for %2</source>
        <translation>%1 ist für %2 reserviert</translation>
    </message>
    <message>
        <source>%1 is skipped, as nobody answered in time</source>
        <translation>%1 wird übersprungen, da niemand rechtzeitig geantwortet hat</translation>
    </message>
    <message>
        <source>%1 is suspended for %2 after %3 in a row: %4</source>
        <translation>%1 ist für %2 ausgesetzt, nach %3 hintereinander: %4</translation>
    </message>
    <message>
        <source>%1 is to run again</source>
        <translation>%1 soll noch einmal laufen</translation>
    </message>
    <message>
        <source>%1 is to run again as edited</source>
        <translation>%1 läuft geändert noch einmal</translation>
    </message>
    <message>
        <source>%1 is to stop</source>
        <translation>%1 soll anhalten</translation>
    </message>
    <message>
        <source>%1 is tried again</source>
        <translation>%1 wird wieder versucht</translation>
    </message>
    <message>
        <source>%1 is unreachable, what runs there is waited for %2: %3</source>
        <translation>%1 ist nicht erreichbar, auf das dort Laufende wird %2 gewartet: %3</translation>
    </message>
    <message>
        <source>%1 joined the fleet</source>
        <translation>%1 ist in der Flotte</translation>
    </message>
    <message>
        <source>%1 left the fleet</source>
        <translation>%1 hat die Flotte verlassen</translation>
    </message>
    <message>
        <source>%1 pinned to %2</source>
        <translation>%1 auf %2 festgelegt</translation>
    </message>
    <message>
        <source>%1 proposed %2</source>
        <translation>%1 hat vorgeschlagen: %2</translation>
    </message>
    <message>
        <source>%1 proposed %2, after its time</source>
        <translation>%1 hat verspätet vorgeschlagen: %2</translation>
    </message>
    <message>
        <source>%1 released</source>
        <translation>%1 losgelassen</translation>
    </message>
    <message>
        <source>%1 replaces %2, once no attempt of it runs any more</source>
        <translation>%1 ersetzt %2, sobald davon kein Versuch mehr läuft</translation>
    </message>
    <message>
        <source>%1 started on %2, attempt %3</source>
        <translation>%1 läuft auf %2, Versuch %3</translation>
    </message>
    <message>
        <source>%1 takes no new tasks</source>
        <translation>%1 nimmt keine neuen Aufgaben</translation>
    </message>
    <message>
        <source>%1 takes tasks again</source>
        <translation>%1 nimmt wieder Aufgaben</translation>
    </message>
    <message>
        <source>%1 waits again, as what it was skipped for runs again</source>
        <translation>%1 wartet wieder: Weshalb es übersprungen wurde, läuft noch einmal</translation>
    </message>
    <message>
        <source>%1 waits for a person to answer</source>
        <translation>%1 wartet auf die Antwort eines Menschen</translation>
    </message>
    <message>
        <source>%1 waits for no answer any more</source>
        <translation>%1 wartet auf keine Antwort mehr</translation>
    </message>
    <message>
        <source>%1 wants no change</source>
        <translation>%1 will keine Änderung</translation>
    </message>
    <message>
        <source>%1 warns: %2</source>
        <translation>%1 warnt: %2</translation>
    </message>
    <message>
        <source>%1 was answered</source>
        <translation>%1 hat eine Antwort</translation>
    </message>
    <message>
        <source>%1 was approved</source>
        <translation>%1 wurde angenommen</translation>
    </message>
    <message>
        <source>%1 was bypassed</source>
        <translation>%1 wurde überbrückt</translation>
    </message>
    <message>
        <source>%1 was cancelled</source>
        <translation>%1 wurde abgebrochen</translation>
    </message>
    <message>
        <source>%1 was cancelled: %2</source>
        <translation>%1 wurde abgebrochen: %2</translation>
    </message>
    <message>
        <source>%1 was disabled</source>
        <translation>%1 wurde abgeschaltet</translation>
    </message>
    <message>
        <source>%1 was enabled</source>
        <translation>%1 wurde eingeschaltet</translation>
    </message>
    <message>
        <source>%1 was interrupted, attempt %2</source>
        <translation>%1 wurde unterbrochen, Versuch %2</translation>
    </message>
    <message>
        <source>%1 was marked %2</source>
        <translation>%1 wurde markiert: %2</translation>
    </message>
    <message>
        <source>%1 was rejected</source>
        <translation>%1 wurde abgelehnt</translation>
    </message>
    <message>
        <source>%1 was skipped: %2</source>
        <translation>%1 wurde übersprungen: %2</translation>
    </message>
    <message>
        <source>%1 was taken over, attempt %2</source>
        <translation>%1 wurde übernommen, Versuch %2</translation>
    </message>
    <message>
        <source>%1 was told no</source>
        <translation>%1 wurde abgelehnt, was es fragte</translation>
    </message>
    <message>
        <source>%1 was told to stop on %2 and has not</source>
        <translation>%1 sollte auf %2 anhalten und hat es nicht getan</translation>
    </message>
    <message>
        <source>%1 went on, as nobody answered in time</source>
        <translation>%1 ging weiter, da niemand rechtzeitig geantwortet hat</translation>
    </message>
    <message>
        <source>%1 works again</source>
        <translation>%1 arbeitet wieder</translation>
    </message>
    <message>
        <source>%1, without %2</source>
        <translation>%1, ohne %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2 that an earlier program left there; slots are kept for them</source>
        <translation>%1: %2, von einem früheren Programm zurückgelassen; Plätze bleiben dafür belegt</translation>
    </message>
    <message>
        <source>%1: what an earlier program left has ended or goes on</source>
        <translation>%1: Was ein früheres Programm zurückgelassen hat, ist zu Ende oder läuft weiter</translation>
    </message>
    <message>
        <source>A command of %1 was answered</source>
        <translation>Ein Befehl von %1 wurde beantwortet</translation>
    </message>
    <message>
        <source>Agent %1 was attached</source>
        <translation>Agent %1 wurde angebunden</translation>
    </message>
    <message>
        <source>Agent %1 was detached</source>
        <translation>Agent %1 wurde gelöst</translation>
    </message>
    <message>
        <source>Agent %1 was paused</source>
        <translation>Agent %1 wurde angehalten</translation>
    </message>
    <message>
        <source>Agent %1 was resumed</source>
        <translation>Agent %1 wurde fortgesetzt</translation>
    </message>
    <message>
        <source>Agent %1: %2</source>
        <translation>Agent %1: %2</translation>
    </message>
    <message>
        <source>Agent answered</source>
        <translation>Agent hat geantwortet</translation>
    </message>
    <message>
        <source>Agent attached</source>
        <translation>Agent angebunden</translation>
    </message>
    <message>
        <source>Agent detached</source>
        <translation>Agent gelöst</translation>
    </message>
    <message>
        <source>Agent not asked</source>
        <translation>Agent nicht gefragt</translation>
    </message>
    <message>
        <source>Agent paused</source>
        <translation>Agent angehalten</translation>
    </message>
    <message>
        <source>Agent resumed</source>
        <translation>Agent fortgesetzt</translation>
    </message>
    <message>
        <source>Agent&apos;s trust changed</source>
        <translation>Vertrauen in Agenten geändert</translation>
    </message>
    <message>
        <source>Agents asked</source>
        <translation>Agenten gefragt</translation>
    </message>
    <message>
        <source>An edit was refused: %1</source>
        <translation>Eine Änderung wurde abgelehnt: %1</translation>
    </message>
    <message>
        <source>Approval %1 was denied</source>
        <translation>Genehmigung %1 wurde verweigert</translation>
    </message>
    <message>
        <source>Approval %1 was dropped with the run</source>
        <translation>Genehmigung %1 ist mit dem Lauf hinfällig</translation>
    </message>
    <message>
        <source>Approval %1 was given</source>
        <translation>Genehmigung %1 wurde erteilt</translation>
    </message>
    <message>
        <source>Approval answered</source>
        <translation>Genehmigung beantwortet</translation>
    </message>
    <message>
        <source>Asking ended</source>
        <translation>Befragung beendet</translation>
    </message>
    <message>
        <source>At most %1 of the run at once</source>
        <translation>Vom Lauf höchstens %1 zugleich</translation>
    </message>
    <message>
        <source>Attempt %2 of %1 took %3, as measured where it ran</source>
        <translation>Versuch %2 von %1 hat %3 gedauert, gemessen dort, wo er lief</translation>
    </message>
    <message>
        <source>Attempt %2 of %1, which was given up as lost, ended late on %3 with exit code %4</source>
        <translation>Versuch %2 von %1, als verloren aufgegeben, endete verspätet auf %3 mit Exit-Code %4</translation>
    </message>
    <message>
        <source>Attempt %2 of %1, which was given up as lost, was ended when %3 was back</source>
        <translation>Versuch %2 von %1, als verloren aufgegeben, wurde beendet, als %3 wieder da war</translation>
    </message>
    <message>
        <source>Attempt taken over</source>
        <translation>Versuch übernommen</translation>
    </message>
    <message>
        <source>Breakpoint set or cleared</source>
        <translation>Haltepunkt gesetzt oder entfernt</translation>
    </message>
    <message>
        <source>Breakpoints on %1</source>
        <translation>Haltepunkte bei %1</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>Ursache</translation>
    </message>
    <message>
        <source>Condition evaluated</source>
        <translation>Bedingung ausgewertet</translation>
    </message>
    <message>
        <source>Device added</source>
        <translation>Gerät hinzugefügt</translation>
    </message>
    <message>
        <source>Device being reached</source>
        <translation>Gerät wird gesucht</translation>
    </message>
    <message>
        <source>Device connected</source>
        <translation>Gerät verbunden</translation>
    </message>
    <message>
        <source>Device disabled</source>
        <translation>Gerät abgeschaltet</translation>
    </message>
    <message>
        <source>Device drained</source>
        <translation>Gerät läuft leer</translation>
    </message>
    <message>
        <source>Device enabled</source>
        <translation>Gerät eingeschaltet</translation>
    </message>
    <message>
        <source>Device failed</source>
        <translation>Gerät hat versagt</translation>
    </message>
    <message>
        <source>Device lost</source>
        <translation>Gerät verloren</translation>
    </message>
    <message>
        <source>Device on trial</source>
        <translation>Gerät auf Probe</translation>
    </message>
    <message>
        <source>Device removed</source>
        <translation>Gerät entfernt</translation>
    </message>
    <message>
        <source>Device runs other tasks</source>
        <translation>Gerät führt andere Aufgaben aus</translation>
    </message>
    <message>
        <source>Device suspended</source>
        <translation>Gerät ausgesetzt</translation>
    </message>
    <message>
        <source>Device takes tasks again</source>
        <translation>Gerät nimmt wieder Aufgaben</translation>
    </message>
    <message>
        <source>Device trusted again</source>
        <translation>Gerät wieder vertraut</translation>
    </message>
    <message>
        <source>Duration of an attempt found out</source>
        <translation>Dauer eines Versuchs festgestellt</translation>
    </message>
    <message>
        <source>Edit refused</source>
        <translation>Änderung abgelehnt</translation>
    </message>
    <message>
        <source>Edited, revision %1: %2</source>
        <translation>Geändert, Revision %1: %2</translation>
    </message>
    <message>
        <source>Edits</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Edits left out</source>
        <translation>Änderungen entfallen</translation>
    </message>
    <message>
        <source>Edits wait for a task</source>
        <translation>Änderungen warten auf eine Aufgabe</translation>
    </message>
    <message>
        <source>Edits wait no more</source>
        <translation>Änderungen warten nicht mehr</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>Enden</translation>
    </message>
    <message>
        <source>Everything is to run again</source>
        <translation>Alles soll wieder laufen</translation>
    </message>
    <message>
        <source>Fleet</source>
        <translation>Flotte</translation>
    </message>
    <message>
        <source>Fleet opened</source>
        <translation>Flotte eröffnet</translation>
    </message>
    <message>
        <source>Gate answered</source>
        <translation>Freigabe beantwortet</translation>
    </message>
    <message>
        <source>Gate waits for an answer</source>
        <translation>Freigabe wartet auf eine Antwort</translation>
    </message>
    <message>
        <source>Goal set</source>
        <translation>Ziel gesetzt</translation>
    </message>
    <message>
        <source>Graph edited</source>
        <translation>Graph geändert</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>Zurückgehalten</translation>
    </message>
    <message>
        <source>How long agents and you are waited for was set</source>
        <translation>Wie lange auf Agenten und auf Sie gewartet wird, wurde eingestellt</translation>
    </message>
    <message>
        <source>How long attempt %2 of %1 took is not known</source>
        <translation>Wie lange Versuch %2 von %1 gedauert hat, ist nicht bekannt</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Limits changed</source>
        <translation>Limits geändert</translation>
    </message>
    <message>
        <source>Limits changed: %1</source>
        <translation>Limits geändert: %1</translation>
    </message>
    <message>
        <source>Limits changed; since then: %1</source>
        <translation>Limits geändert; seitdem: %1</translation>
    </message>
    <message>
        <source>Limits set to what they were</source>
        <translation>Limits blieben, wie sie waren</translation>
    </message>
    <message>
        <source>Lost attempt ended</source>
        <translation>Verlorener Versuch beendet</translation>
    </message>
    <message>
        <source>Missed %1; everything was read anew</source>
        <translation>%1 verpasst; alles wurde neu gelesen</translation>
    </message>
    <message>
        <source>No answer of an agent is waited for any more</source>
        <translation>Auf keine Antwort eines Agenten wird mehr gewartet</translation>
    </message>
    <message>
        <source>No breakpoints on %1 any more</source>
        <translation>Keine Haltepunkte bei %1 mehr</translation>
    </message>
    <message>
        <source>No pin for %1</source>
        <translation>%1 nicht mehr festgelegt</translation>
    </message>
    <message>
        <source>Nobody is asked about the batch any more</source>
        <translation>Zu diesen Enden wird niemand mehr gefragt</translation>
    </message>
    <message>
        <source>Nobody is asked any more, as the run is cancelled</source>
        <translation>Niemand wird mehr gefragt, denn der Lauf ist abgebrochen</translation>
    </message>
    <message>
        <source>Nothing can start: %1</source>
        <translation>Nichts kann starten: %1</translation>
    </message>
    <message>
        <source>One step: %1</source>
        <translation>Ein Schritt: %1</translation>
    </message>
    <message>
        <source>Only %1 and what it needs is to run</source>
        <translation>Nur %1 und was davor nötig ist, soll laufen</translation>
    </message>
    <message>
        <source>Other runs took or freed slots</source>
        <translation>Andere Läufe haben Plätze belegt oder freigegeben</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Festgelegt</translation>
    </message>
    <message>
        <source>Priority %2 for %1</source>
        <translation>Priorität %2 für %1</translation>
    </message>
    <message>
        <source>Priority set</source>
        <translation>Priorität gesetzt</translation>
    </message>
    <message>
        <source>Proposal settled</source>
        <translation>Vorschlag entschieden</translation>
    </message>
    <message>
        <source>Proposal waits for approval</source>
        <translation>Vorschlag wartet auf Genehmigung</translation>
    </message>
    <message>
        <source>Question answered</source>
        <translation>Frage beantwortet</translation>
    </message>
    <message>
        <source>Question withdrawn</source>
        <translation>Frage zurückgezogen</translation>
    </message>
    <message>
        <source>Released</source>
        <translation>Losgelassen</translation>
    </message>
    <message>
        <source>Reservation ended</source>
        <translation>Reservierung beendet</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>Reserviert</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Run cancelled</source>
        <translation>Lauf abgebrochen</translation>
    </message>
    <message>
        <source>Run created</source>
        <translation>Lauf angelegt</translation>
    </message>
    <message>
        <source>Run ended</source>
        <translation>Lauf beendet</translation>
    </message>
    <message>
        <source>Run goes on</source>
        <translation>Lauf geht weiter</translation>
    </message>
    <message>
        <source>Run kept open</source>
        <translation>Lauf offen gehalten</translation>
    </message>
    <message>
        <source>Run limited</source>
        <translation>Lauf begrenzt</translation>
    </message>
    <message>
        <source>Run opened again</source>
        <translation>Lauf wieder geöffnet</translation>
    </message>
    <message>
        <source>Run paused</source>
        <translation>Lauf angehalten</translation>
    </message>
    <message>
        <source>Run resumed</source>
        <translation>Lauf fortgesetzt</translation>
    </message>
    <message>
        <source>Run stalled</source>
        <translation>Lauf steht still</translation>
    </message>
    <message>
        <source>Run started</source>
        <translation>Lauf gestartet</translation>
    </message>
    <message>
        <source>Slots kept for what may still run</source>
        <translation>Plätze für noch Laufendes belegt</translation>
    </message>
    <message>
        <source>Slots set</source>
        <translation>Plätze festgelegt</translation>
    </message>
    <message>
        <source>Steering</source>
        <translation>Eingriffe</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Stopped at a breakpoint</source>
        <translation>An einem Haltepunkt angehalten</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Task asks a person</source>
        <translation>Aufgabe fragt einen Menschen</translation>
    </message>
    <message>
        <source>Task cancelled</source>
        <translation>Aufgabe abgebrochen</translation>
    </message>
    <message>
        <source>Task does not stop</source>
        <translation>Aufgabe hält nicht an</translation>
    </message>
    <message>
        <source>Task done</source>
        <translation>Aufgabe fertig</translation>
    </message>
    <message>
        <source>Task failed</source>
        <translation>Aufgabe fehlgeschlagen</translation>
    </message>
    <message>
        <source>Task failed, will be retried</source>
        <translation>Aufgabe fehlgeschlagen, wird wiederholt</translation>
    </message>
    <message>
        <source>Task interrupted</source>
        <translation>Aufgabe unterbrochen</translation>
    </message>
    <message>
        <source>Task marked</source>
        <translation>Aufgabe markiert</translation>
    </message>
    <message>
        <source>Task overdue</source>
        <translation>Aufgabe überfällig</translation>
    </message>
    <message>
        <source>Task ready</source>
        <translation>Aufgabe bereit</translation>
    </message>
    <message>
        <source>Task skipped</source>
        <translation>Aufgabe übersprungen</translation>
    </message>
    <message>
        <source>Task started</source>
        <translation>Aufgabe gestartet</translation>
    </message>
    <message>
        <source>Task to be stopped</source>
        <translation>Aufgabe soll anhalten</translation>
    </message>
    <message>
        <source>Task to run again</source>
        <translation>Aufgabe soll noch einmal laufen</translation>
    </message>
    <message>
        <source>Task warns</source>
        <translation>Aufgabe warnt</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>Tasks can start again, once there is room</source>
        <translation>Aufgaben können wieder starten, sobald Platz ist</translation>
    </message>
    <message>
        <source>The condition from %1 to %2 could not be evaluated: %3</source>
        <translation>Die Bedingung von %1 nach %2 war nicht auszuwerten: %3</translation>
    </message>
    <message>
        <source>The condition from %1 to %2 does not hold</source>
        <translation>Die Bedingung von %1 nach %2 gilt nicht</translation>
    </message>
    <message>
        <source>The condition from %1 to %2 holds</source>
        <translation>Die Bedingung von %1 nach %2 gilt</translation>
    </message>
    <message>
        <source>The fleet as it is</source>
        <translation>Die Flotte, wie sie ist</translation>
    </message>
    <message>
        <source>The fleet was opened</source>
        <translation>Die Flotte wurde eröffnet</translation>
    </message>
    <message>
        <source>The program ended before everybody had answered</source>
        <translation>Das Programm endete, bevor alle geantwortet hatten</translation>
    </message>
    <message>
        <source>The reservation of %1 by %2 has expired</source>
        <translation>Die Reservierung von %1 durch %2 ist abgelaufen</translation>
    </message>
    <message>
        <source>The reservation of %1 by %2 was broken</source>
        <translation>Die Reservierung von %1 durch %2 wurde aufgehoben</translation>
    </message>
    <message>
        <source>The run ends when no task is left</source>
        <translation>Der Lauf endet, wenn keine Aufgabe übrig ist</translation>
    </message>
    <message>
        <source>The run goes on</source>
        <translation>Der Lauf geht weiter</translation>
    </message>
    <message>
        <source>The run has ended: %1</source>
        <translation>Der Lauf ist beendet: %1</translation>
    </message>
    <message>
        <source>The run has no limit of its own</source>
        <translation>Der Lauf hat kein eigenes Limit</translation>
    </message>
    <message>
        <source>The run is being cancelled</source>
        <translation>Der Lauf wird abgebrochen</translation>
    </message>
    <message>
        <source>The run is ready</source>
        <translation>Der Lauf ist bereit</translation>
    </message>
    <message>
        <source>The run stays open when no task is left</source>
        <translation>Der Lauf bleibt offen, wenn keine Aufgabe übrig ist</translation>
    </message>
    <message>
        <source>The run was created</source>
        <translation>Der Lauf wurde angelegt</translation>
    </message>
    <message>
        <source>The run was created from %1</source>
        <translation>Der Lauf wurde angelegt aus %1</translation>
    </message>
    <message>
        <source>The run was opened again</source>
        <translation>Der Lauf wurde wieder geöffnet</translation>
    </message>
    <message>
        <source>The run was paused</source>
        <translation>Der Lauf wurde angehalten</translation>
    </message>
    <message>
        <source>The run was resumed</source>
        <translation>Der Lauf wurde fortgesetzt</translation>
    </message>
    <message>
        <source>The run was started</source>
        <translation>Der Lauf wurde gestartet</translation>
    </message>
    <message>
        <source>The time to answer approval %1 was up</source>
        <translation>Die Zeit für die Genehmigung %1 war um</translation>
    </message>
    <message>
        <source>The time to answer was up; the run goes on without %1</source>
        <translation>Die Zeit zu antworten war um; der Lauf geht ohne %1 weiter</translation>
    </message>
    <message>
        <source>The work of %1 had to wait; it counts as started when it began</source>
        <translation>Die Arbeit von %1 musste warten; sie gilt als begonnen, seit sie wirklich begann</translation>
    </message>
    <message>
        <source>The work of %1 has ended, attempt %2; what it has left is being brought here</source>
        <translation>Die Arbeit von %1 ist beendet, Versuch %2; was sie hinterlassen hat, wird hierher geholt</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>What %1 proposed waits for approval %2</source>
        <translation>Der Vorschlag von %1 wartet auf die Genehmigung %2</translation>
    </message>
    <message>
        <source>What %1 proposed was applied</source>
        <translation>Der Vorschlag von %1 wurde angewandt</translation>
    </message>
    <message>
        <source>What %1 proposed was refused</source>
        <translation>Der Vorschlag von %1 wurde abgelehnt</translation>
    </message>
    <message>
        <source>What %1 wanted of a task that had started is void</source>
        <translation>Was %1 an einer schon gestarteten Aufgabe ändern wollte, ist hinfällig</translation>
    </message>
    <message>
        <source>What %1 wanted of a task that had started was applied</source>
        <translation>Was %1 an einer schon gestarteten Aufgabe ändern wollte, ist angewandt</translation>
    </message>
    <message>
        <source>What %1 wants of %2 holds for the next attempt</source>
        <translation>Was %1 an %2 ändern will, gilt ab dem nächsten Versuch</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschah</translation>
    </message>
    <message>
        <source>What waits for agents set</source>
        <translation>Festgelegt, was auf Agenten wartet</translation>
    </message>
    <message>
        <source>While agents are asked everything goes on</source>
        <translation>Solange Agenten gefragt werden, läuft alles weiter</translation>
    </message>
    <message>
        <source>While agents are asked everything goes on, and late edits as agreed</source>
        <translation>Während Agenten gefragt werden, läuft alles weiter; späte Änderungen wie vereinbart</translation>
    </message>
    <message>
        <source>While agents are asked nothing of the run starts</source>
        <translation>Solange Agenten gefragt werden, startet der Lauf nichts</translation>
    </message>
    <message>
        <source>While agents are asked nothing starts that depends on the batch</source>
        <translation>Solange Agenten gefragt werden, startet nichts, was davon abhängt</translation>
    </message>
    <message>
        <source>While agents are asked nothing starts that they may change</source>
        <translation>Während Agenten gefragt werden, beginnt nichts, was sie ändern dürfen</translation>
    </message>
    <message>
        <source>Work begins</source>
        <translation>Arbeit beginnt</translation>
    </message>
    <message>
        <source>Work ended</source>
        <translation>Arbeit beendet</translation>
    </message>
    <message>
        <source>agents are waited for up to %1</source>
        <translation>auf Agenten wird bis zu %1 gewartet</translation>
    </message>
    <message>
        <source>at most %1 at once</source>
        <translation>höchstens %1 zugleich</translation>
    </message>
    <message>
        <source>because of %1</source>
        <translation>wegen %1</translation>
    </message>
    <message>
        <source>by %1</source>
        <translation>durch %1</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>von Hand</translation>
    </message>
    <message>
        <source>by its age</source>
        <translation>durch sein Alter</translation>
    </message>
    <message>
        <source>by the engine</source>
        <translation>durch die Engine</translation>
    </message>
    <message>
        <source>by the plan</source>
        <translation>durch den Plan</translation>
    </message>
    <message>
        <source>by the settings</source>
        <translation>durch die Einstellungen</translation>
    </message>
    <message>
        <source>by the task itself</source>
        <translation>durch die Aufgabe selbst</translation>
    </message>
    <message>
        <source>it was marked</source>
        <translation>sie wurde so markiert</translation>
    </message>
    <message>
        <source>it was rejected</source>
        <translation>sie wurde abgelehnt</translation>
    </message>
    <message>
        <source>it was told to stop</source>
        <translation>sie sollte anhalten</translation>
    </message>
    <message>
        <source>its device was lost</source>
        <translation>ihr Gerät ging verloren</translation>
    </message>
    <message>
        <source>its time was up</source>
        <translation>die Zeit war um</translation>
    </message>
    <message>
        <source>its timeout</source>
        <translation>ihr Zeitlimit</translation>
    </message>
    <message>
        <source>limit group %1: %2</source>
        <translation>Limitgruppe %1: %2</translation>
    </message>
    <message>
        <source>limit group %1: no limit</source>
        <translation>Limitgruppe %1: kein Limit</translation>
    </message>
    <message>
        <source>new runs are never refused</source>
        <translation>neue Läufe werden nie abgelehnt</translation>
    </message>
    <message>
        <source>new runs are refused from %1 in the queue on</source>
        <translation>neue Läufe werden ab %1 in der Warteschlange abgelehnt</translation>
    </message>
    <message>
        <source>no global limit</source>
        <translation>kein Limit für alle Läufe</translation>
    </message>
    <message>
        <source>no reason was given</source>
        <translation>ohne Angabe eines Grundes</translation>
    </message>
    <message>
        <source>nothing is said to be overdue</source>
        <translation>nichts gilt als überfällig</translation>
    </message>
    <message>
        <source>overdue beyond %1 times the estimate</source>
        <translation>überfällig ab dem %1-Fachen der Schätzung</translation>
    </message>
    <message>
        <source>placement “%1”</source>
        <translation>Platzierung „%1“</translation>
    </message>
    <message>
        <source>retry after attempt %1</source>
        <translation>neuer Versuch nach Versuch %1</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>starvation time-out %1</source>
        <translation>höchste Wartezeit %1</translation>
    </message>
    <message>
        <source>the engine shuts down</source>
        <translation>die Engine wird beendet</translation>
    </message>
    <message>
        <source>the fleet</source>
        <translation>die Flotte</translation>
    </message>
    <message>
        <source>the program that ran it had ended</source>
        <translation>das Programm, das sie ausführte, war beendet</translation>
    </message>
    <message>
        <source>waiting tasks do not age</source>
        <translation>Wartendes altert nicht</translation>
    </message>
</context>
<context>
    <name>EventsCorner</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the selected rows as text, or all if none is selected</source>
        <translation>Die ausgewählten Zeilen als Text kopieren, oder alle, wenn keine ausgewählt ist</translation>
    </message>
    <message>
        <source>Follow the newest event; scrolling up stops that</source>
        <translation>Dem neuesten Ereignis folgen; nach oben zu blättern beendet das</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Zurücknehmen</translation>
    </message>
</context>
<context>
    <name>EventsPane</name>
    <message numerus="yes">
        <source>%n earlier event(s) are not kept here.</source>
        <translation>
            <numerusform>%n früheres Ereignis ist hier nicht aufbewahrt.</numerusform>
            <numerusform>%n frühere Ereignisse sind hier nicht aufbewahrt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) came too fast to be listed.</source>
        <translation>
            <numerusform>%n Ereignis kam zu schnell, um hier zu stehen.</numerusform>
            <numerusform>%n Ereignisse kamen zu schnell, um hier zu stehen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kind(s) hidden</source>
        <translation>
            <numerusform>%n Art ausgeblendet</numerusform>
            <numerusform>%n Arten ausgeblendet</numerusform>
        </translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>Alle Arten</translation>
    </message>
    <message>
        <source>Choose an edit to take it back.</source>
        <translation>Wählen Sie eine Änderung, um sie zurückzunehmen.</translation>
    </message>
    <message>
        <source>Choose which kinds of events are shown</source>
        <translation>Wählen, welche Arten von Ereignissen gezeigt werden</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>No event passes the filter.</source>
        <translation>Kein Ereignis passt zum Filter.</translation>
    </message>
    <message>
        <source>No events since this window knows the run. What happens now will be listed here.</source>
        <translation>Keine Ereignisse, seit dieses Fenster den Lauf kennt. Was jetzt geschieht, wird hier stehen.</translation>
    </message>
    <message>
        <source>No events yet. What happens in the run will be listed here.</source>
        <translation>Noch keine Ereignisse. Was im Lauf geschieht, wird hier stehen.</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>Selected task</source>
        <translation>Ausgewählte Aufgabe</translation>
    </message>
    <message>
        <source>Show events with this task or text</source>
        <translation>Ereignisse mit dieser Aufgabe oder diesem Text zeigen</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Show only events of the selected task</source>
        <translation>Nur Ereignisse der ausgewählten Aufgabe zeigen</translation>
    </message>
    <message>
        <source>Take this edit back, as one step that can be undone</source>
        <translation>Diese Änderung zurücknehmen, als ein Schritt, der sich rückgängig machen lässt</translation>
    </message>
    <message>
        <source>Task or text</source>
        <translation>Aufgabe oder Text</translation>
    </message>
    <message>
        <source>What happened earlier is told in the past of the run: turn on Time travel.</source>
        <translation>Was vorher geschah, erzählt die Vergangenheit des Laufs: Schalten Sie die Zeitreise ein.</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message>
        <source>%1 has not all of the run</source>
        <translation>%1 enthält nicht den ganzen Lauf</translation>
    </message>
    <message>
        <source>%1 was not written</source>
        <translation>%1 wurde nicht geschrieben</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the export</source>
        <translation>Export abbrechen</translation>
    </message>
    <message>
        <source>Export “%1” as</source>
        <translation>„%1“ exportieren als</translation>
    </message>
    <message>
        <source>Exporting %1</source>
        <translation>%1 wird exportiert</translation>
    </message>
    <message>
        <source>Exporting %1: it is written</source>
        <translation>%1 wird exportiert: es wird geschrieben</translation>
    </message>
    <message>
        <source>Exporting %1: the journal is read</source>
        <translation>%1 wird exportiert: das Journal wird gelesen</translation>
    </message>
    <message>
        <source>Exporting %1: the report is made</source>
        <translation>%1 wird exportiert: der Bericht entsteht</translation>
    </message>
    <message>
        <source>Exporting %1: the run is copied from %2</source>
        <translation>%1 wird exportiert: der Lauf wird von %2 kopiert</translation>
    </message>
    <message>
        <source>Exporting %1: the run is packed</source>
        <translation>%1 wird exportiert: der Lauf wird gepackt</translation>
    </message>
    <message>
        <source>Graph as a drawing</source>
        <translation>Graph als Zeichnung</translation>
    </message>
    <message>
        <source>Graph as a picture</source>
        <translation>Graph als Bild</translation>
    </message>
    <message>
        <source>It is being exported already. Wait until that is done, or cancel it.</source>
        <translation>Er wird schon exportiert. Warten Sie, bis das fertig ist, oder brechen Sie es ab.</translation>
    </message>
    <message>
        <source>Nothing was exported</source>
        <translation>Nichts wurde exportiert</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Replace %1?</source>
        <translation>%1 ersetzen?</translation>
    </message>
    <message>
        <source>Report as a web page</source>
        <translation>Bericht als Webseite</translation>
    </message>
    <message>
        <source>Report as pages</source>
        <translation>Bericht als Seiten</translation>
    </message>
    <message>
        <source>Report for programs</source>
        <translation>Bericht für Programme</translation>
    </message>
    <message>
        <source>Table of attempts</source>
        <translation>Tabelle der Versuche</translation>
    </message>
    <message>
        <source>Table of events</source>
        <translation>Tabelle der Ereignisse</translation>
    </message>
    <message>
        <source>Table of tasks</source>
        <translation>Tabelle der Aufgaben</translation>
    </message>
    <message>
        <source>Tests for a build server (JUnit)</source>
        <translation>Tests für einen Build-Server (JUnit)</translation>
    </message>
    <message>
        <source>The whole run in one file</source>
        <translation>Der ganze Lauf in einer Datei</translation>
    </message>
    <message>
        <source>There is a file %1 already; what is in it would be lost.</source>
        <translation>Es gibt schon eine Datei %1; was darin steht, ginge verloren.</translation>
    </message>
    <message>
        <source>There is no journal of it on this computer; where it is, `starloom report` makes one.</source>
        <translation>Auf diesem Rechner ist kein Journal davon; wo es ist, macht `starloom report` einen Bericht.</translation>
    </message>
    <message>
        <source>This run has no journal to tell it from, as the journals could not be written when it began.</source>
        <translation>Dieser Lauf hat kein Journal, aus dem zu berichten wäre, denn bei seinem Beginn konnten keine Journale geschrieben werden.</translation>
    </message>
    <message>
        <source>Timeline as a drawing</source>
        <translation>Zeitachse als Zeichnung</translation>
    </message>
    <message>
        <source>Timeline as a picture</source>
        <translation>Zeitachse als Bild</translation>
    </message>
    <message>
        <source>Trace for Perfetto</source>
        <translation>Aufzeichnung für Perfetto</translation>
    </message>
    <message>
        <source>What people did to it, as a script</source>
        <translation>Was Menschen mit ihm taten, als Skript</translation>
    </message>
    <message>
        <source>What writes it cannot be understood: %1.</source>
        <translation>Was ihn schreibt, ist nicht zu verstehen: %1.</translation>
    </message>
    <message>
        <source>What writes it could not be started: %1.</source>
        <translation>Was ihn schreibt, konnte nicht gestartet werden: %1.</translation>
    </message>
    <message>
        <source>What writes it ended with %1.</source>
        <translation>Was ihn schreibt, endete mit %1.</translation>
    </message>
    <message>
        <source>“%1” is being exported. Wait until that is done, or cancel it.</source>
        <translation>„%1“ wird gerade exportiert. Warten Sie, bis das fertig ist, oder brechen Sie es ab.</translation>
    </message>
    <message>
        <source>“%1” was not exported</source>
        <translation>„%1“ wurde nicht exportiert</translation>
    </message>
</context>
<context>
    <name>FailuresSection</name>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>Copy the errors of all failed tasks</source>
        <translation>Die Fehler aller fehlgeschlagenen Aufgaben kopieren</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>List all failed tasks in the Tasks pane</source>
        <translation>Alle fehlgeschlagenen Aufgaben unter Aufgaben zeigen</translation>
    </message>
    <message numerus="yes">
        <source>Retry %n failed</source>
        <translation>
            <numerusform>%n wiederholen</numerusform>
            <numerusform>%n wiederholen</numerusform>
        </translation>
    </message>
    <message>
        <source>Run the failed tasks again</source>
        <translation>Die fehlgeschlagenen Aufgaben noch einmal ausführen</translation>
    </message>
    <message>
        <source>Select this task</source>
        <translation>Diese Aufgabe auswählen</translation>
    </message>
    <message>
        <source>Show in Tasks</source>
        <translation>In Aufgaben zeigen</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FenceBar</name>
    <message>
        <source>After so long a proposal that nobody has answered is dropped; empty: it waits.</source>
        <translation>Nach so langer Zeit verfällt ein Vorschlag, den niemand beantwortet hat; leer: er wartet.</translation>
    </message>
    <message>
        <source>An answer that comes later is judged like any edit; the run no longer waits for it.</source>
        <translation>Eine Antwort, die später kommt, wird wie jede Änderung beurteilt; der Lauf wartet nicht mehr auf sie.</translation>
    </message>
    <message>
        <source>Seconds for agents</source>
        <translation>Sekunden für Agenten</translation>
    </message>
    <message>
        <source>Seconds for you</source>
        <translation>Sekunden für Sie</translation>
    </message>
    <message>
        <source>Time to answer: agents</source>
        <translation>Antwortzeit: Agenten</translation>
    </message>
    <message>
        <source>What waits while agents are asked</source>
        <translation>Was wartet, während Agenten gefragt werden</translation>
    </message>
    <message>
        <source>While agents are asked</source>
        <translation>Während Agenten gefragt sind</translation>
    </message>
    <message>
        <source>s, you</source>
        <translation>s, Sie</translation>
    </message>
</context>
<context>
    <name>FieldsSection</name>
    <message>
        <source>%1 Nothing was changed.</source>
        <translation>%1 Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>%1 of %2 was overwritten.</source>
        <translation>%1 von %2 wurde überschrieben.</translation>
    </message>
    <message>
        <source>%1 set %2</source>
        <translation>%1 setzte %2</translation>
    </message>
    <message>
        <source>%1 started without what you typed in “%2”: it was not set (Enter; in a text of several lines Ctrl+Enter). The field keeps it, to be copied.</source>
        <translation>%1: gestartet ohne das, was Sie in „%2“ geschrieben haben; es war nicht gesetzt (Eingabe; in mehrzeiligem Text Strg+Eingabe). Das Feld behält es zum Kopieren.</translation>
    </message>
    <message>
        <source>%1 was overwritten.</source>
        <translation>%1 wurde überschrieben.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1. What you typed was not set.</source>
        <translation>%1. Was Sie geschrieben haben, wurde nicht gesetzt.</translation>
    </message>
    <message>
        <source>%1: change and retry</source>
        <translation>%1: ändern, wiederholen</translation>
    </message>
    <message>
        <source>All of them get these values and run again, as one act. Their attempts stay listed; the retry cannot be undone.</source>
        <translation>Alle bekommen diese Werte und laufen noch einmal, in einem Schritt. Ihre Versuche bleiben aufgeführt; der neue Versuch kann nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
        <source>Change and retry</source>
        <translation>Ändern und erneut versuchen</translation>
    </message>
    <message>
        <source>Change and retry %1</source>
        <translation>%1 ändern und erneut versuchen</translation>
    </message>
    <message>
        <source>Editable until it starts</source>
        <translation>Änderbar, bis sie startet</translation>
    </message>
    <message>
        <source>Editable until they start</source>
        <translation>Änderbar, bis sie starten</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>Felder</translation>
    </message>
    <message>
        <source>Fields of all</source>
        <translation>Felder von allen</translation>
    </message>
    <message>
        <source>For %1 not started</source>
        <translation>Für %1 nicht gestartete</translation>
    </message>
    <message>
        <source>Not set yet: %1 sets it and retries</source>
        <translation>Noch nicht gesetzt: %1 setzt es und versucht es erneut</translation>
    </message>
    <message>
        <source>Not set yet: %1 sets it, Esc takes it back</source>
        <translation>Noch nicht gesetzt: %1 setzt es, Esc nimmt es zurück</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <source>Replaced: %1 (Undo brings it back)</source>
        <translation>Ersetzt: %1 (Rückgängig holt es zurück)</translation>
    </message>
    <message>
        <source>Set to %1</source>
        <translation>Gesetzt auf %1</translation>
    </message>
    <message>
        <source>The task gets these values and runs again, as one act. Its attempts stay listed; the retry cannot be undone.</source>
        <translation>Die Aufgabe bekommt diese Werte und läuft noch einmal, in einem Schritt. Ihre Versuche bleiben aufgeführt; der neue Versuch kann nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
        <source>Type another value first. To try again with the same ones, use Retry.</source>
        <translation>Geben Sie zuerst einen anderen Wert ein. Mit denselben Werten versucht es „Erneut versuchen“.</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>eben</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
</context>
<context>
    <name>FileChanges</name>
    <message>
        <source>%1 has changed on disk since it was opened.</source>
        <translation>%1 hat sich auf der Platte geändert, seit es geöffnet wurde.</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
</context>
<context>
    <name>FilesSection</name>
    <message numerus="yes">
        <source>%n more file(s)</source>
        <translation>
            <numerusform>%n weitere Datei</numerusform>
            <numerusform>%n weitere Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>Fetched once it has completed</source>
        <translation>Wird nach Abschluss geholt</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Sent before it begins</source>
        <translation>Wird vor Beginn gesendet</translation>
    </message>
</context>
<context>
    <name>Filter</name>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Limit group</source>
        <translation>Limitgruppe</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
</context>
<context>
    <name>FindReplaceDialog</name>
    <message>
        <source>A text in commands, scripts, inputs, variables</source>
        <translation>Ein Text in Befehlen, Skripten, Eingaben, Variablen</translation>
    </message>
    <message>
        <source>All tasks (%1)</source>
        <translation>Alle Aufgaben (%1)</translation>
    </message>
    <message>
        <source>Capital and small letters are different</source>
        <translation>Groß- und Kleinbuchstaben werden unterschieden</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Find and replace</source>
        <translation>Suchen und ersetzen</translation>
    </message>
    <message>
        <source>In</source>
        <translation>In</translation>
    </message>
    <message>
        <source>Look at every task</source>
        <translation>Jede Aufgabe durchsehen</translation>
    </message>
    <message>
        <source>Look at the selected tasks only</source>
        <translation>Nur die ausgewählten Aufgaben durchsehen</translation>
    </message>
    <message>
        <source>Look at what tasks are called as well</source>
        <translation>Auch durchsehen, wie Aufgaben heißen</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird gesucht …</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>Groß/klein beachten</translation>
    </message>
    <message>
        <source>Names of tasks, too</source>
        <translation>Auch Namen von Aufgaben</translation>
    </message>
    <message>
        <source>No task is selected.</source>
        <translation>Keine Aufgabe ist ausgewählt.</translation>
    </message>
    <message>
        <source>Nothing is sought yet</source>
        <translation>Noch wird nichts gesucht</translation>
    </message>
    <message>
        <source>Nothing is ticked that can be changed</source>
        <translation>Nichts Änderbares ist angehakt</translation>
    </message>
    <message>
        <source>Nothing was found</source>
        <translation>Nichts wurde gefunden</translation>
    </message>
    <message>
        <source>Nothing was replaced. What is wrong stands above.</source>
        <translation>Nichts wurde ersetzt. Was nicht stimmt, steht oben.</translation>
    </message>
    <message>
        <source>Nothing: it is taken out</source>
        <translation>Nichts: es wird herausgenommen</translation>
    </message>
    <message>
        <source>Only the first %1 places are shown</source>
        <translation>Nur die ersten %1 Stellen werden gezeigt</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Replace by</source>
        <translation>Ersetzen durch</translation>
    </message>
    <message>
        <source>Selection (%1)</source>
        <translation>Auswahl (%1)</translation>
    </message>
    <message>
        <source>Still looking</source>
        <translation>Wird noch gesucht</translation>
    </message>
    <message>
        <source>That would change nothing.</source>
        <translation>Das würde nichts ändern.</translation>
    </message>
    <message>
        <source>The text is a pattern; \1 in what replaces it is its first group</source>
        <translation>Der Text ist ein Muster; \1 im Ersatz ist seine erste Gruppe</translation>
    </message>
    <message>
        <source>There are no tasks yet.</source>
        <translation>Noch gibt es keine Aufgaben.</translation>
    </message>
    <message>
        <source>This cannot be looked for</source>
        <translation>Danach kann nicht gesucht werden</translation>
    </message>
    <message>
        <source>Tick all</source>
        <translation>Alle anhaken</translation>
    </message>
    <message>
        <source>Tick none</source>
        <translation>Keine anhaken</translation>
    </message>
    <message>
        <source>What is sought in commands, scripts, functions, prompts, inputs and variables</source>
        <translation>Was in Befehlen, Skripten, Funktionen, Aufträgen, Eingaben und Variablen gesucht wird</translation>
    </message>
    <message>
        <source>What would be replaced is listed here, before and after.</source>
        <translation>Was ersetzt würde, steht hier, vorher und nachher.</translation>
    </message>
</context>
<context>
    <name>FirstLook</name>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>Simuliert</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>auf %1</translation>
    </message>
    <message>
        <source>on any device</source>
        <translation>auf einem beliebigen Gerät</translation>
    </message>
    <message>
        <source>rule “%1”</source>
        <translation>Regel „%1“</translation>
    </message>
    <message>
        <source>runs nothing, but only takes time</source>
        <translation>führt nichts aus, braucht nur Zeit</translation>
    </message>
</context>
<context>
    <name>FirstLookDialog</name>
    <message>
        <source>%1 and brings %2</source>
        <translation>%1 und bringt %2 mit</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Text kopieren</translation>
    </message>
    <message>
        <source>Create run</source>
        <translation>Lauf anlegen</translation>
    </message>
    <message>
        <source>Not all of this plan was drawn here; it runs %1. What runs on this computer runs with your rights. Nothing has been started; you are asked again only where this changes.</source>
        <translation>Nicht alles an diesem Plan wurde hier gezeichnet; er führt %1 aus. Was auf diesem Rechner läuft, läuft mit Ihren Rechten. Es wurde nichts gestartet; Sie werden nur wieder gefragt, wo sich daran etwas ändert.</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>This plan comes from a file and runs %1. What runs on this computer runs with your rights. Nothing has been started; you are asked again only where this changes.</source>
        <translation>Dieser Plan kommt aus einer Datei und führt %1 aus. Was auf diesem Rechner läuft, läuft mit Ihren Rechten. Es wurde nichts gestartet; Sie werden nur wieder gefragt, wo sich daran etwas ändert.</translation>
    </message>
    <message>
        <source>What “%1” would run</source>
        <translation>Was „%1“ ausführen würde</translation>
    </message>
</context>
<context>
    <name>FleetFileActions</name>
    <message>
        <source>%1 The file is as it was.</source>
        <translation>%1 Die Datei ist, wie sie war.</translation>
    </message>
    <message>
        <source>%1 in %2. No device was added, and nothing has changed.</source>
        <translation>%1 in %2. Kein Gerät kam hinzu, und nichts hat sich geändert.</translation>
    </message>
    <message>
        <source>%1 is not complete</source>
        <translation>%1 ist nicht vollständig</translation>
    </message>
    <message>
        <source>%1 is not in %2</source>
        <translation>%1 steht nicht in %2</translation>
    </message>
    <message>
        <source>%1, first of all %2</source>
        <translation>%1, vor allem %2</translation>
    </message>
    <message numerus="yes">
        <source>%n device(s) saved in %1. They are here the next time, too.</source>
        <translation>
            <numerusform>%n Gerät in %1 gespeichert. Auch beim nächsten Mal ist es da.</numerusform>
            <numerusform>%n Geräte in %1 gespeichert. Auch beim nächsten Mal sind sie da.</numerusform>
        </translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Fleets (%1)</source>
        <translation>Flotten (%1)</translation>
    </message>
    <message>
        <source>It goes with this session unless the fleet is saved.</source>
        <translation>Es geht mit dieser Sitzung, wenn die Flotte nicht gespeichert wird.</translation>
    </message>
    <message>
        <source>Open a fleet</source>
        <translation>Flotte öffnen</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>Save the fleet as</source>
        <translation>Flotte speichern unter</translation>
    </message>
    <message>
        <source>Show problems</source>
        <translation>Probleme zeigen</translation>
    </message>
    <message>
        <source>The devices are not kept for the next time</source>
        <translation>Die Geräte sind nicht für das nächste Mal gemerkt</translation>
    </message>
    <message>
        <source>The fleet %1 was not opened</source>
        <translation>Die Flotte %1 wurde nicht geöffnet</translation>
    </message>
    <message>
        <source>The fleet was not saved in %1</source>
        <translation>Die Flotte wurde nicht in %1 gespeichert</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>You have added no device: those of plans are in their plans.</source>
        <translation>Sie haben kein Gerät hinzugefügt: die der Pläne stehen in ihren Plänen.</translation>
    </message>
</context>
<context>
    <name>FleetNotices</name>
    <message>
        <source>%1: %2, not %3 as the plan says</source>
        <translation>%1: %2, nicht %3 wie im Plan</translation>
    </message>
    <message>
        <source>All runs share one fleet. Pin tasks to a device, or drain one, if they must not.</source>
        <translation>Alle Läufe teilen sich die Geräte. Heften Sie Aufgaben an eines, oder leeren Sie eines, wenn das nicht sein soll.</translation>
    </message>
    <message>
        <source>Limit group %1</source>
        <translation>Limitgruppe %1</translation>
    </message>
    <message>
        <source>Tasks of “%1” may also run on %2</source>
        <translation>Aufgaben von „%1“ können auch auf %2 laufen</translation>
    </message>
    <message>
        <source>Tasks of “%1” run on %2</source>
        <translation>Aufgaben von „%1“ laufen auf %2</translation>
    </message>
    <message>
        <source>The limit holds for all runs.</source>
        <translation>Das Limit gilt für alle Läufe.</translation>
    </message>
    <message>
        <source>Use the plan&apos;s</source>
        <translation>Wie im Plan</translation>
    </message>
</context>
<context>
    <name>FleetReserved</name>
    <message>
        <source>Fleet</source>
        <translation>Flotte</translation>
    </message>
    <message>
        <source>The fleet: %1</source>
        <translation>Die Flotte: %1</translation>
    </message>
</context>
<context>
    <name>FoldBox</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 in %2 nodes</source>
        <translation>%1 in %2 Knoten</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Levels</source>
        <translation>Ebenen</translation>
    </message>
    <message>
        <source>Nodes of the graph</source>
        <translation>Knoten des Graphen</translation>
    </message>
    <message>
        <source>One node for each group of tasks; tasks whose names differ in their numbers are one, too</source>
        <translation>Ein Knoten je Gruppe von Aufgaben; Aufgaben, deren Namen sich nur in der Nummer unterscheiden, sind auch eine</translation>
    </message>
    <message>
        <source>One node for each task</source>
        <translation>Ein Knoten je Aufgabe</translation>
    </message>
    <message>
        <source>One node for tasks that are as far from the beginning and whose names begin alike</source>
        <translation>Ein Knoten für Aufgaben, die gleich weit vom Anfang entfernt sind und deren Namen gleich beginnen</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
</context>
<context>
    <name>Folding</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 … %2</source>
        <translation>%1 … %2</translation>
    </message>
    <message>
        <source>Level %1</source>
        <translation>Ebene %1</translation>
    </message>
    <message>
        <source>Levels %1–%2</source>
        <translation>Ebenen %1–%2</translation>
    </message>
</context>
<context>
    <name>Form</name>
    <message>
        <source>%1 is missing</source>
        <translation>%1 fehlt</translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation>Weniger Optionen</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>Mehr Optionen</translation>
    </message>
    <message>
        <source>Options that are seldom needed</source>
        <translation>Optionen, die man selten braucht</translation>
    </message>
</context>
<context>
    <name>Forms</name>
    <message>
        <source>A value has no name. Give it one, or remove its row.</source>
        <translation>Ein Wert hat keinen Namen. Geben Sie ihm einen oder entfernen Sie seine Zeile.</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>Hinzufügen …</translation>
    </message>
    <message>
        <source>Enter: choose another kind</source>
        <translation>Eingabetaste: eine andere Art wählen</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Make it a text</source>
        <translation>Zu Text machen</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nichts</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Remove its row</source>
        <translation>Zeile entfernen</translation>
    </message>
    <message>
        <source>Secret</source>
        <translation>Geheimnis</translation>
    </message>
    <message>
        <source>Secret in a file</source>
        <translation>Geheimnis in einer Datei</translation>
    </message>
    <message>
        <source>Secret in an environment variable</source>
        <translation>Geheimnis in einer Umgebungsvariablen</translation>
    </message>
    <message>
        <source>Secret in the keyring</source>
        <translation>Geheimnis im Schlüsselbund</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>The name “%1” stands there twice. Give one of them another name.</source>
        <translation>Der Name „%1“ steht zweimal da. Geben Sie einem von beiden einen anderen Namen.</translation>
    </message>
    <message>
        <source>This names no secret. Write keyring:NAME, env:NAME or file:PATH, or make it a text.</source>
        <translation>Das nennt kein Geheimnis. Schreiben Sie keyring:NAME, env:NAME oder file:PFAD, oder machen Sie einen Text daraus.</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Yes/no</source>
        <translation>Ja/Nein</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>“%1” is no number.</source>
        <translation>„%1“ ist keine Zahl.</translation>
    </message>
    <message>
        <source>“%1” is no number. Write it like 42, 0.5 or 3e6, or make it a text.</source>
        <translation>„%1“ ist keine Zahl. Schreiben Sie sie wie 42, 0.5 oder 3e6, oder machen Sie einen Text daraus.</translation>
    </message>
    <message>
        <source>“%1” is no whole number.</source>
        <translation>„%1“ ist keine ganze Zahl.</translation>
    </message>
</context>
<context>
    <name>Front</name>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished">%1: %2</translation>
    </message>
</context>
<context>
    <name>GatePage</name>
    <message>
        <source>%1 directly behind it</source>
        <translation>%1 direkt dahinter</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>Zustimmen</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Show task</source>
        <translation>Aufgabe zeigen</translation>
    </message>
    <message>
        <source>The gate fails</source>
        <translation>Die Freigabe schlägt fehl</translation>
    </message>
    <message>
        <source>The gate is done, and what waits for it goes on</source>
        <translation>Die Freigabe ist erteilt, und was darauf wartet, geht weiter</translation>
    </message>
</context>
<context>
    <name>GraphMenu</name>
    <message>
        <source>Colour by</source>
        <translation>Färben nach</translation>
    </message>
    <message>
        <source>Dependencies point down</source>
        <translation>Abhängigkeiten zeigen nach unten</translation>
    </message>
    <message>
        <source>Fold all groups</source>
        <translation>Alle Gruppen zuklappen</translation>
    </message>
    <message>
        <source>Fold by level and name</source>
        <translation>Nach Ebene und Namen zuklappen</translation>
    </message>
    <message>
        <source>Fold group</source>
        <translation>Gruppe zuklappen</translation>
    </message>
    <message>
        <source>Fold group %1</source>
        <translation>Gruppe %1 zuklappen</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>One node for tasks that are as far from the beginning and whose names begin alike</source>
        <translation>Ein Knoten für Aufgaben, die gleich weit vom Anfang entfernt sind und deren Namen gleich beginnen</translation>
    </message>
    <message>
        <source>Select a task that is in a group with others.</source>
        <translation>Eine Aufgabe auswählen, die mit anderen in einer Gruppe ist.</translation>
    </message>
    <message>
        <source>Unfold all groups</source>
        <translation>Alle Gruppen aufklappen</translation>
    </message>
    <message>
        <source>Unfold group %1</source>
        <translation>Gruppe %1 aufklappen</translation>
    </message>
</context>
<context>
    <name>GraphShape</name>
    <message>
        <source>Longest dependency chain</source>
        <translation>Längste Abhängigkeitskette</translation>
    </message>
    <message>
        <source>Most at one level</source>
        <translation>Höchstens auf einer Stufe</translation>
    </message>
    <message>
        <source>Separate parts</source>
        <translation>Getrennte Teile</translation>
    </message>
</context>
<context>
    <name>Grid</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 flaky</source>
        <translation>%1 wacklig</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 slower</source>
        <translation>%1 langsamer</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1/%2</source>
        <comment>day, month</comment>
        <translation>%1.%2.</translation>
    </message>
    <message>
        <source>%1× its usual %2</source>
        <translation>%1× so lang wie sonst (%2)</translation>
    </message>
    <message>
        <source>(from %1 earlier runs on, at least %2× and %3 longer, doing the same)</source>
        <translation>(ab %1 früheren Läufen, mindestens %2× und %3 länger, bei gleicher Arbeit)</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>Nach Namen</translation>
    </message>
    <message>
        <source>Called “%1” in earlier runs</source>
        <translation>Hieß in früheren Läufen „%1“</translation>
    </message>
    <message>
        <source>Called “%1” then</source>
        <translation>Hieß damals „%1“</translation>
    </message>
    <message>
        <source>Flaky first</source>
        <translation>Wacklige zuerst</translation>
    </message>
    <message>
        <source>Flaky: failed or was retried in %1 of %2 runs and was done in others, doing the same</source>
        <translation>Wacklig: in %1 von %2 Läufen gescheitert oder wiederholt und in anderen fertig geworden, bei gleicher Arbeit</translation>
    </message>
    <message>
        <source>In the order of the graph</source>
        <translation>In der Reihenfolge des Graphen</translation>
    </message>
    <message>
        <source>Marked by hand or bypassed: it did not run to this end</source>
        <translation>Von Hand so markiert oder überbrückt: sie ist nicht bis zu diesem Ende gelaufen</translation>
    </message>
    <message>
        <source>Not in the newest run: removed, or it has another id there</source>
        <translation>Nicht im neuesten Lauf: entfernt, oder mit anderer Kennung</translation>
    </message>
    <message>
        <source>On %1</source>
        <translation>Auf %1</translation>
    </message>
    <message>
        <source>Only simulated: nothing was run, and it tells nothing of the task</source>
        <translation>Nur simuliert: Nichts wurde ausgeführt, und über die Aufgabe sagt es nichts</translation>
    </message>
    <message>
        <source>Removed while the run went on</source>
        <translation>Entfernt, während der Lauf weiterging</translation>
    </message>
    <message>
        <source>Shade: what a task took, by what it usually takes: up to %1×, %2×, %3×, %4×, and more. Corner: retried.</source>
        <translation>Tönung: wie lang eine Aufgabe dauerte, gemessen an sonst: bis %1×, %2×, %3×, %4× und mehr. Ecke: wiederholt.</translation>
    </message>
    <message>
        <source>Slower first</source>
        <translation>Langsamere zuerst</translation>
    </message>
    <message>
        <source>Slower: took %1 last, and %2 in the median of %3 runs before</source>
        <translation>Langsamer: dauerte zuletzt %1, im Median von %3 Läufen davor %2</translation>
    </message>
    <message>
        <source>This run had no such task.</source>
        <translation>Dieser Lauf hatte keine solche Aufgabe.</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>schneller</translation>
    </message>
    <message>
        <source>flaky %1 of %2</source>
        <translation>wacklig %1 von %2</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>langsamer</translation>
    </message>
    <message>
        <source>slower %1×</source>
        <translation>langsamer %1×</translation>
    </message>
</context>
<context>
    <name>GridCorner</name>
    <message>
        <source>Flaky</source>
        <translation>Wacklig</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Order of the tasks, copy as CSV, read again</source>
        <translation>Reihenfolge der Aufgaben, als CSV kopieren, neu lesen</translation>
    </message>
    <message>
        <source>Show tasks that failed or were retried in some runs and were done in others, doing the same</source>
        <translation>Aufgaben zeigen, die in manchen Läufen gescheitert sind oder wiederholt wurden und in anderen fertig wurden, bei gleicher Arbeit</translation>
    </message>
    <message>
        <source>Show tasks that took much longer the last time than they usually do</source>
        <translation>Aufgaben zeigen, die zuletzt viel länger dauerten als sonst</translation>
    </message>
    <message>
        <source>Slower</source>
        <translation>Langsamer</translation>
    </message>
</context>
<context>
    <name>GridDialog</name>
    <message>
        <source>Last runs of “%1”</source>
        <translation>Letzte Läufe von „%1“</translation>
    </message>
</context>
<context>
    <name>GridPane</name>
    <message>
        <source>A line for each task and run, %1 at most</source>
        <translation>Eine Zeile je Aufgabe und Lauf, höchstens %1</translation>
    </message>
    <message>
        <source>Compare this run with…</source>
        <translation>Diesen Lauf vergleichen mit …</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>Als CSV kopieren</translation>
    </message>
    <message>
        <source>No runs of this plan yet. Its last %1 will stand here, task by task.</source>
        <translation>Noch keine Läufe dieses Plans. Seine letzten %1 werden hier stehen, Aufgabe für Aufgabe.</translation>
    </message>
    <message>
        <source>None of the %1 is marked so.</source>
        <translation>Keine von %1 ist so gekennzeichnet.</translation>
    </message>
    <message>
        <source>Not all was read: %1</source>
        <translation>Nicht alles wurde gelesen: %1</translation>
    </message>
    <message>
        <source>Open this run</source>
        <translation>Diesen Lauf öffnen</translation>
    </message>
    <message>
        <source>Open this run at this task</source>
        <translation>Diesen Lauf bei dieser Aufgabe öffnen</translation>
    </message>
    <message>
        <source>Order and copies</source>
        <translation>Reihenfolge und Kopien</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Neu lesen</translation>
    </message>
    <message>
        <source>Reading runs of “%1” · %2 of up to %3</source>
        <translation>Läufe von „%1“ werden gelesen · %2 von bis zu %3</translation>
    </message>
    <message>
        <source>Reading was stopped</source>
        <translation>Das Lesen wurde abgebrochen</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Liest …</translation>
    </message>
    <message>
        <source>Run and task</source>
        <translation>Lauf und Aufgabe</translation>
    </message>
    <message>
        <source>Show all tasks</source>
        <translation>Alle Aufgaben zeigen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Start the plan; its run will be the first column here</source>
        <translation>Den Plan starten; sein Lauf wird hier die erste Spalte</translation>
    </message>
    <message>
        <source>The plan has no name, so nobody knows its other runs</source>
        <translation>Der Plan hat keinen Namen, daher kennt niemand seine anderen Läufe</translation>
    </message>
    <message>
        <source>The plan has no name, so nobody knows its runs. Name it, and its last runs will stand here.</source>
        <translation>Der Plan hat keinen Namen, daher kennt niemand seine Läufe. Benennen Sie ihn, und seine letzten Läufe stehen hier.</translation>
    </message>
</context>
<context>
    <name>GridPlurals</name>
    <message numerus="yes">
        <source>%n journal(s) cannot be read</source>
        <translation>
            <numerusform>%n Journal ist unlesbar</numerusform>
            <numerusform>%n Journale sind unlesbar</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Hand</name>
    <message>
        <source>Select a task first.</source>
        <translation>Erst eine Aufgabe auswählen.</translation>
    </message>
    <message>
        <source>This task has no dependencies.</source>
        <translation>Diese Aufgabe hat keine Abhängigkeiten.</translation>
    </message>
    <message>
        <source>Unfold the group to connect one of its tasks.</source>
        <translation>Die Gruppe aufklappen, um eine ihrer Aufgaben zu verbinden.</translation>
    </message>
</context>
<context>
    <name>Head</name>
    <message>
        <source>More verbs</source>
        <translation>Weitere Befehle</translation>
    </message>
    <message>
        <source>Verbs</source>
        <translation>Befehle</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 until %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1, waits for you</source>
        <translation>%1, wartet auf Sie</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1; will run until %2</source>
        <translation>%1; läuft dann bis %2</translation>
    </message>
    <message>
        <source>At a breakpoint</source>
        <translation>An einem Haltepunkt</translation>
    </message>
    <message>
        <source>Devices suspended: again in %1</source>
        <translation>Geräte ausgesetzt: wieder in %1</translation>
    </message>
    <message>
        <source>Drained</source>
        <translation>Geräte leer gestellt</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>Vergangen</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Finish about</source>
        <translation>Ende etwa</translation>
    </message>
    <message>
        <source>Nothing can start</source>
        <translation>Nichts kann starten</translation>
    </message>
    <message>
        <source>Since the start at %1</source>
        <translation>Seit dem Start um %1</translation>
    </message>
    <message>
        <source>Takes</source>
        <translation>Dauert</translation>
    </message>
    <message>
        <source>Takes about</source>
        <translation>Dauert etwa</translation>
    </message>
    <message>
        <source>To go</source>
        <translation>Noch</translation>
    </message>
    <message>
        <source>To go about</source>
        <translation>Noch etwa</translation>
    </message>
    <message>
        <source>Waits for a release</source>
        <translation>Wartet darauf, losgelassen zu werden</translation>
    </message>
    <message>
        <source>Waits for the answer of %1</source>
        <translation>Wartet auf die Antwort von %1</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>Wartet auf Sie</translation>
    </message>
    <message>
        <source>no estimate</source>
        <translation>keine Schätzung</translation>
    </message>
    <message>
        <source>or later</source>
        <translation>oder später</translation>
    </message>
    <message>
        <source>or longer</source>
        <translation>oder länger</translation>
    </message>
    <message>
        <source>with %1 of pauses</source>
        <translation>mit %1 angehalten</translation>
    </message>
    <message>
        <source>without %1 between its end and its reopening</source>
        <translation>ohne %1 zwischen Ende und Wiederaufnahme</translation>
    </message>
    <message>
        <source>without %1 in which nothing of it ran</source>
        <translation>ohne %1, in denen nichts von ihm lief</translation>
    </message>
    <message>
        <source>± %1</source>
        <translation>± %1</translation>
    </message>
    <message>
        <source>± %1 min</source>
        <translation>± %1 min</translation>
    </message>
</context>
<context>
    <name>HistoryDialog</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>A part of its journal is lost. “starloom resume”, with its name, asks what is done again.</source>
        <translation>Ein Teil seines Journals ist verloren. „starloom resume“ mit seinem Namen fragt, was noch einmal getan wird.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen …</translation>
    </message>
    <message>
        <source>Empty trash…</source>
        <translation>Papierkorb leeren …</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Go on with this run where it was left</source>
        <translation>Mit diesem Lauf dort weitermachen, wo er verlassen wurde</translation>
    </message>
    <message>
        <source>Grid…</source>
        <translation>Raster …</translation>
    </message>
    <message>
        <source>Have back what was put there last (Ctrl+Z)</source>
        <translation>Zurückholen, was zuletzt hineingelegt wurde (Strg+Z)</translation>
    </message>
    <message>
        <source>Have its tasks retried, rerun and changed again; nothing starts by itself</source>
        <translation>Seine Aufgaben wieder wiederholen, erneut ausführen und ändern lassen; von selbst beginnt nichts</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren …</translation>
    </message>
    <message>
        <source>It is open in %1. What it has come to by now can be looked at.</source>
        <translation>Er ist in %1 offen. Was bis jetzt aus ihm geworden ist, kann angesehen werden.</translation>
    </message>
    <message>
        <source>Keep the last runs only</source>
        <translation>Nur die letzten Läufe behalten</translation>
    </message>
    <message>
        <source>No run holds what you search for.</source>
        <translation>Kein Lauf enthält, was Sie suchen.</translation>
    </message>
    <message>
        <source>No run is selected.</source>
        <translation>Kein Lauf ist gewählt.</translation>
    </message>
    <message>
        <source>No runs yet. Every run is kept in %1 and will be listed here.</source>
        <translation>Noch keine Läufe. Jeder Lauf wird in %1 aufbewahrt und hier aufgeführt.</translation>
    </message>
    <message>
        <source>Nobody knows of which plan it is: its journal does not tell.</source>
        <translation>Niemand weiß, von welchem Plan er ist: Sein Journal sagt es nicht.</translation>
    </message>
    <message>
        <source>Only an interrupted run can be gone on with, or one that has ended.</source>
        <translation>Nur ein unterbrochener oder ein beendeter Lauf kann fortgesetzt werden.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Put the selected runs into the trash (Del)</source>
        <translation>Die gewählten Läufe in den Papierkorb legen (Entf)</translation>
    </message>
    <message>
        <source>Reading %1 of %2…</source>
        <translation>Liest %1 von %2 …</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Liest …</translation>
    </message>
    <message>
        <source>Remove for good what is in the trash</source>
        <translation>Endgültig entfernen, was im Papierkorb ist</translation>
    </message>
    <message>
        <source>Reopen</source>
        <translation>Wieder öffnen</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Select a run to open it.</source>
        <translation>Wählen Sie einen Lauf, um ihn zu öffnen.</translation>
    </message>
    <message>
        <source>Select one run to export it.</source>
        <translation>Wählen Sie einen einzigen Lauf, um ihn zu exportieren.</translation>
    </message>
    <message>
        <source>Select one run to open it.</source>
        <translation>Wählen Sie einen einzigen Lauf, um ihn zu öffnen.</translation>
    </message>
    <message>
        <source>Select one run to see those of its plan.</source>
        <translation>Wählen Sie einen Lauf, um die seines Plans zu sehen.</translation>
    </message>
    <message>
        <source>Show the last runs of its plan, task by task (%1)</source>
        <translation>Die letzten Läufe seines Plans zeigen, Aufgabe für Aufgabe (%1)</translation>
    </message>
    <message>
        <source>Take in a run that was exported elsewhere, and show it (Ctrl+I)</source>
        <translation>Einen Lauf aufnehmen, der anderswo exportiert wurde, und ihn zeigen (Strg+I)</translation>
    </message>
    <message>
        <source>There are no runs yet.</source>
        <translation>Es gibt noch keine Läufe.</translation>
    </message>
    <message>
        <source>This run came from elsewhere. It can be looked at, but not gone on with.</source>
        <translation>Dieser Lauf kam von anderswo. Man kann ihn ansehen, aber nicht mit ihm weitermachen.</translation>
    </message>
    <message>
        <source>This run has not begun. There is nothing to export.</source>
        <translation>Dieser Lauf hat nicht begonnen. Es gibt nichts zu exportieren.</translation>
    </message>
    <message>
        <source>Tidy up…</source>
        <translation>Aufräumen …</translation>
    </message>
    <message>
        <source>Write it as a report or in one file (Ctrl+E)</source>
        <translation>Ihn als Bericht oder in einer Datei schreiben (Strg+E)</translation>
    </message>
    <message>
        <source>“%1” has not ended. Cancel it first.</source>
        <translation>„%1“ ist nicht zu Ende. Brechen Sie ihn zuerst ab.</translation>
    </message>
    <message>
        <source>“%1” is open in %2.</source>
        <translation>„%1“ ist in %2 offen.</translation>
    </message>
</context>
<context>
    <name>HistorySection</name>
    <message>
        <source>%1 earlier…</source>
        <translation>%1 frühere …</translation>
    </message>
    <message>
        <source>%1 · saved</source>
        <translation>%1 · gespeichert</translation>
    </message>
    <message>
        <source>%1 · stays</source>
        <translation>%1 · bleibt</translation>
    </message>
    <message>
        <source>As it was at first</source>
        <translation>Wie es zuerst war</translation>
    </message>
    <message>
        <source>Go back or forth to here</source>
        <translation>Bis hierher zurück- oder vorgehen</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>It cannot be taken back: %1.
Go back or forth to here</source>
        <translation>Das kann nicht zurückgenommen werden: %1.
Bis hierher zurück oder vor</translation>
    </message>
    <message>
        <source>This is how things are now.</source>
        <translation>So ist es jetzt.</translation>
    </message>
</context>
<context>
    <name>HitList</name>
    <message>
        <source>What would be replaced</source>
        <translation>Was ersetzt würde</translation>
    </message>
</context>
<context>
    <name>HoverCard</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, not yet satisfied</source>
        <translation>%1, noch nicht erfüllt</translation>
    </message>
    <message>
        <source>%1, satisfied</source>
        <translation>%1, erfüllt</translation>
    </message>
    <message numerus="yes">
        <source>%Ln child(ren)</source>
        <translation>
            <numerusform>%Ln Nachfolger</numerusform>
            <numerusform>%Ln Nachfolger</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln parent(s)</source>
        <translation>
            <numerusform>%Ln Vorgänger</numerusform>
            <numerusform>%Ln Vorgänger</numerusform>
        </translation>
    </message>
    <message>
        <source>What is typed for it is not set yet.</source>
        <translation>Was für sie geschrieben ist, ist noch nicht gesetzt.</translation>
    </message>
</context>
<context>
    <name>Importing</name>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>It may have come to something else than the one in the file. To see that, delete it in %1.</source>
        <translation>Aus ihm kann etwas anderes geworden sein als aus dem in der Datei. Um jenen zu sehen, löschen Sie ihn unter „%1“.</translation>
    </message>
    <message>
        <source>Taking in %1</source>
        <translation>%1 wird aufgenommen</translation>
    </message>
    <message>
        <source>Taking in %1 · %2 %</source>
        <translation>%1 wird aufgenommen · %2 %</translation>
    </message>
    <message>
        <source>The run in %1 is here already, and that one is shown</source>
        <translation>Der Lauf in %1 ist schon hier, und dieser wird gezeigt</translation>
    </message>
    <message>
        <source>The run in %1 was not taken in</source>
        <translation>Der Lauf in %1 wurde nicht aufgenommen</translation>
    </message>
    <message>
        <source>What unpacks it cannot be understood: %1.</source>
        <translation>Was ihn auspackt, ist nicht zu verstehen: %1.</translation>
    </message>
    <message>
        <source>What unpacks it could not be started: %1.</source>
        <translation>Was ihn auspackt, konnte nicht gestartet werden: %1.</translation>
    </message>
    <message>
        <source>What unpacks it ended with %1.</source>
        <translation>Was ihn auspackt, endete mit %1.</translation>
    </message>
    <message>
        <source>it named no run</source>
        <translation>es hat keinen Lauf genannt</translation>
    </message>
</context>
<context>
    <name>InQueue</name>
    <message numerus="yes">
        <source>%n more task(s) are not shown</source>
        <translation>
            <numerusform>%n weitere Aufgabe wird nicht gezeigt</numerusform>
            <numerusform>%n weitere Aufgaben werden nicht gezeigt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more task(s) ready: held, at a breakpoint, or not to start yet</source>
        <translation>
            <numerusform>%n weitere Aufgabe bereit: zurückgehalten, an einem Haltepunkt oder noch nicht zu starten</numerusform>
            <numerusform>%n weitere Aufgaben bereit: zurückgehalten, an einem Haltepunkt oder noch nicht zu starten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) in line</source>
        <translation>
            <numerusform>%n Aufgabe in der Warteschlange</numerusform>
            <numerusform>%n Aufgaben in der Warteschlange</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>$STARLOOM_UPSTREAM names a file with what its parents left behind.</source>
        <translation>$STARLOOM_UPSTREAM nennt eine Datei mit dem, was ihre Vorgänger hinterlassen haben.</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 begins like JSON and is none; text that begins so stands in quotes</source>
        <translation>%1 beginnt wie JSON und ist keines; Text, der so beginnt, steht in Anführungszeichen</translation>
    </message>
    <message>
        <source>%1 changes it and retries.</source>
        <translation>%1 ändert es und versucht es erneut.</translation>
    </message>
    <message>
        <source>%1 fits and has %2 free</source>
        <translation>%1 passt und hat %2 frei</translation>
    </message>
    <message>
        <source>%1 fits and has room</source>
        <translation>%1 passt und hat Platz</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 ist %2</translation>
    </message>
    <message>
        <source>%1 is a number that JSON cannot hold</source>
        <translation>%1 ist eine Zahl, die JSON nicht fassen kann</translation>
    </message>
    <message>
        <source>%1 is disabled</source>
        <translation>%1 ist abgeschaltet</translation>
    </message>
    <message>
        <source>%1 is draining</source>
        <translation>%1 läuft leer</translation>
    </message>
    <message>
        <source>%1 is not connected</source>
        <translation>%1 ist nicht verbunden</translation>
    </message>
    <message>
        <source>%1 is on trial: one task at a time until one works</source>
        <translation>%1 ist auf Probe: eine Aufgabe nach der anderen, bis eine gelingt</translation>
    </message>
    <message>
        <source>%1 is refused until somebody does something</source>
        <translation>%1 ist abgelehnt, bis jemand etwas dafür tut</translation>
    </message>
    <message>
        <source>%1 is suspended after %2 in a row, and tried again in %3</source>
        <translation>%1 ist nach %2 hintereinander ausgesetzt und wird in %3 wieder versucht</translation>
    </message>
    <message>
        <source>%1 longer than expected; no forecast</source>
        <translation>%1 länger als erwartet; keine Vorhersage</translation>
    </message>
    <message>
        <source>%1 of the run %2</source>
        <translation>%1 im Lauf %2</translation>
    </message>
    <message>
        <source>%1 said yes</source>
        <translation>Erfüllt: %1</translation>
    </message>
    <message>
        <source>%1 said yes, which is enough</source>
        <translation>Erfüllt: %1, das genügt</translation>
    </message>
    <message>
        <source>%1 stands there twice</source>
        <translation>%1 steht zweimal da</translation>
    </message>
    <message>
        <source>%1 that no program looks after; their run can be gone on with, or ended then, from History</source>
        <translation>%1, und kein Programm kümmert sich darum; im Verlauf lässt sich ihr Lauf fortsetzen und dann auch beenden</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1-fach</translation>
    </message>
    <message>
        <source>%1 was last heard at %2</source>
        <translation>%1 war zuletzt um %2 zu hören</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>A JSON Schema that the JSON has to fit; else the attempt fails. Empty: any JSON. Paste it here.</source>
        <translation>Ein JSON-Schema, zu dem das JSON passen muss; sonst schlägt der Versuch fehl. Leer: jedes JSON. Fügen Sie es hier ein.</translation>
    </message>
    <message>
        <source>A device that is taken when it has a place free.</source>
        <translation>Ein Gerät, das genommen wird, wenn dort ein Platz frei ist.</translation>
    </message>
    <message>
        <source>A failure is</source>
        <translation>Scheitern ist</translation>
    </message>
    <message>
        <source>A gate stands in no line: it asks as soon as it is ready.</source>
        <translation>Eine Freigabe steht nicht an: Sie fragt, sobald sie bereit ist.</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>Add device…</source>
        <translation>Gerät hinzufügen …</translation>
    </message>
    <message>
        <source>Add task…</source>
        <translation>Aufgabe hinzufügen …</translation>
    </message>
    <message>
        <source>All of them have started</source>
        <translation>Alle sind gestartet</translation>
    </message>
    <message>
        <source>All of them have started.</source>
        <translation>Alle sind gestartet.</translation>
    </message>
    <message>
        <source>All slots are taken: %1</source>
        <translation>Alle Plätze sind belegt: %1</translation>
    </message>
    <message>
        <source>All slots of %1 are taken: %2</source>
        <translation>Alle Plätze von %1 sind belegt: %2</translation>
    </message>
    <message>
        <source>Answer…</source>
        <translation>Antworten …</translation>
    </message>
    <message>
        <source>Anything else: values of any kind.</source>
        <translation>Alles Übrige: Werte jeder Art.</translation>
    </message>
    <message>
        <source>Apply to</source>
        <translation>Gilt für</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>Zustimmen</translation>
    </message>
    <message>
        <source>Arguments: values of any kind, and ${…} for the value of a parent.</source>
        <translation>Argumente: Werte jeder Art, und ${…} für den Wert eines Vorgängers.</translation>
    </message>
    <message>
        <source>Attempt %1 failed, the next one is due in %2</source>
        <translation>Versuch %1 ist fehlgeschlagen, der nächste ist in %2 fällig</translation>
    </message>
    <message>
        <source>Backoff</source>
        <translation>Backoff</translation>
    </message>
    <message>
        <source>Breakpoint</source>
        <translation>Haltepunkt</translation>
    </message>
    <message>
        <source>By exit code</source>
        <translation>Nach Exit-Code</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>Capabilities its device must have, with commas between them.</source>
        <translation>Fähigkeiten, die ihr Gerät haben muss, durch Kommas getrennt.</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Compare host key…</source>
        <translation>Schlüssel vergleichen …</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Ctrl+E: larger</source>
        <translation>Strg+E: größer</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Strg+Eingabe</translation>
    </message>
    <message>
        <source>Ctrl+Enter: change</source>
        <translation>Strg+Eingabe: ändern</translation>
    </message>
    <message>
        <source>Delay</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Drain that device and rerun from here to have it run</source>
        <translation>Lassen Sie das Gerät leerlaufen und wiederholen Sie ab hier, damit sie läuft</translation>
    </message>
    <message>
        <source>Edges, templates and results name the task by its id, so that it stays.</source>
        <translation>Kanten, Vorlagen und Ergebnisse nennen die Aufgabe bei ihrer Kennung; darum bleibt sie.</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Enter: change</source>
        <translation>Eingabe: ändern</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>Exit code</source>
        <translation>Exit-Code</translation>
    </message>
    <message>
        <source>Exit code %1</source>
        <translation>Exit-Code %1</translation>
    </message>
    <message>
        <source>Fails first</source>
        <translation>Erst Fehler</translation>
    </message>
    <message>
        <source>Files fetched after</source>
        <translation>Dateien, danach geholt</translation>
    </message>
    <message>
        <source>Files sent before</source>
        <translation>Dateien, vorher gesendet</translation>
    </message>
    <message>
        <source>Fold %1</source>
        <translation>%1 zuklappen</translation>
    </message>
    <message>
        <source>For which tasks the values below are meant; one step of undo</source>
        <translation>Für welche Aufgaben die Werte darunter gelten; ein Schritt beim Rückgängigmachen</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>From: as seen from where it ran. To: in the folder of the files here.</source>
        <translation>Von: von dort aus gesehen, wo sie lief. Nach: im Ordner der Dateien hier.</translation>
    </message>
    <message>
        <source>From: in the folder of the files here. To: as seen from where it runs.</source>
        <translation>Von: im Ordner der Dateien hier. Nach: von dort aus gesehen, wo sie läuft.</translation>
    </message>
    <message>
        <source>Gate</source>
        <translation>Freigabe</translation>
    </message>
    <message>
        <source>Gate: asks a person</source>
        <translation>Gate: fragt einen Menschen</translation>
    </message>
    <message>
        <source>Given up as lost; it ended late at %2, with exit code %1.</source>
        <translation>Als verloren aufgegeben; es endete verspätet um %2, mit Exit-Code %1.</translation>
    </message>
    <message>
        <source>Given up as lost; it ended late, with exit code %1.</source>
        <translation>Als verloren aufgegeben; es endete verspätet, mit Exit-Code %1.</translation>
    </message>
    <message>
        <source>Given up as lost; it was ended when its device was back.</source>
        <translation>Als verloren aufgegeben; es wurde beendet, als sein Gerät wieder da war.</translation>
    </message>
    <message>
        <source>Handler of the host program</source>
        <translation>Handler des Wirtsprogramms</translation>
    </message>
    <message>
        <source>How long an attempt may take, e.g. 90s, 10m or 1h30m.</source>
        <translation>Wie lange ein Versuch dauern darf, z. B. 90s, 10m oder 1h30m.</translation>
    </message>
    <message>
        <source>How long it is expected to take on a device of speed 1.</source>
        <translation>Wie lange sie auf einem Gerät der Geschwindigkeit 1 voraussichtlich dauert.</translation>
    </message>
    <message>
        <source>How long it takes on a device of speed 1.</source>
        <translation>Wie lange sie auf einem Gerät der Geschwindigkeit 1 dauert.</translation>
    </message>
    <message>
        <source>How long it waits for an answer; empty: however long it takes.</source>
        <translation>Wie lange auf eine Antwort gewartet wird; leer: so lange es dauert.</translation>
    </message>
    <message>
        <source>How many more attempts follow one that failed.</source>
        <translation>Wie viele weitere Versuche auf einen fehlgeschlagenen folgen.</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Kennung</translation>
    </message>
    <message>
        <source>In Live mode only</source>
        <translation>Nur in Live</translation>
    </message>
    <message>
        <source>Inputs and environment</source>
        <translation>Eingaben und Umgebung</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>Interrupted: the program that ran it ended before it did.</source>
        <translation>Unterbrochen: Das Programm, das ihn ausführte, endete vor ihm.</translation>
    </message>
    <message>
        <source>It cannot be read: %1.</source>
        <translation>Es ist nicht lesbar: %1.</translation>
    </message>
    <message>
        <source>It completes without running where it would start.</source>
        <translation>Wo sie beginnen würde, endet sie als erledigt, ohne zu laufen.</translation>
    </message>
    <message>
        <source>It had no such task.</source>
        <translation>Er hatte keine solche Aufgabe.</translation>
    </message>
    <message>
        <source>It has a breakpoint and stops where it would start</source>
        <translation>Sie hat einen Haltepunkt und hält an, wo sie starten würde</translation>
    </message>
    <message>
        <source>It has several lines, which this field cannot hold</source>
        <translation>Es hat mehrere Zeilen, die dieses Feld nicht fasst</translation>
    </message>
    <message>
        <source>It has stopped at its breakpoint</source>
        <translation>Sie hat an ihrem Haltepunkt angehalten</translation>
    </message>
    <message>
        <source>It is asked what follows from %1</source>
        <translation>Er wird gefragt, was aus %1 folgt</translation>
    </message>
    <message>
        <source>It is asked what follows from %1 …</source>
        <translation>Er wird gefragt, was aus %1 folgt …</translation>
    </message>
    <message>
        <source>It is empty: %1.</source>
        <translation>Es ist leer: %1.</translation>
    </message>
    <message>
        <source>It is held</source>
        <translation>Sie wird zurückgehalten</translation>
    </message>
    <message>
        <source>It is in line and starts as soon as it is its turn</source>
        <translation>Sie steht in der Warteschlange und startet, sobald sie an der Reihe ist</translation>
    </message>
    <message>
        <source>It needs %1</source>
        <translation>Sie braucht %1</translation>
    </message>
    <message>
        <source>It stops where it would start, until somebody lets it go on.</source>
        <translation>Sie hält an, wo sie starten würde, bis jemand sie weiterlaufen lässt.</translation>
    </message>
    <message>
        <source>Its host key is another one than the one that is trusted: somebody may have come between.</source>
        <translation>Sein Host-Schlüssel ist ein anderer als der, dem vertraut wird: Jemand könnte sich dazwischengeschaltet haben.</translation>
    </message>
    <message>
        <source>JSON at its end</source>
        <translation>JSON am Ende</translation>
    </message>
    <message>
        <source>Killed by %1</source>
        <translation>Beendet durch %1</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Let everything go on</source>
        <translation>Alles weiterlaufen lassen</translation>
    </message>
    <message>
        <source>Limit group</source>
        <translation>Limitgruppe</translation>
    </message>
    <message>
        <source>Limit group “%1” is full: %2</source>
        <translation>Limitgruppe „%1“ ist voll: %2</translation>
    </message>
    <message>
        <source>Limit of all runs is reached: %1</source>
        <translation>Das Limit aller Läufe ist erreicht: %1</translation>
    </message>
    <message>
        <source>Limit of all runs: %1</source>
        <translation>Limit aller Läufe: %1</translation>
    </message>
    <message>
        <source>Limit of the run is reached: %1</source>
        <translation>Das Limit des Laufs ist erreicht: %1</translation>
    </message>
    <message>
        <source>Limit of the run: %1</source>
        <translation>Limit des Laufs: %1</translation>
    </message>
    <message>
        <source>Limits it counts against while it runs, with commas between them.</source>
        <translation>Limits, auf die sie zählt, während sie läuft, durch Kommas getrennt.</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>Längste</translation>
    </message>
    <message>
        <source>Mark as done</source>
        <translation>Als fertig markieren</translation>
    </message>
    <message>
        <source>Means</source>
        <translation>Bedeutet</translation>
    </message>
    <message>
        <source>No device can: %1</source>
        <translation>Kein Gerät kann es: %1</translation>
    </message>
    <message>
        <source>No run is open. What you select in it will be explained here.</source>
        <translation>Kein Lauf ist offen. Was darin ausgewählt ist, wird hier erklärt.</translation>
    </message>
    <message>
        <source>No tasks yet. What you select will be explained and edited here.</source>
        <translation>Noch keine Aufgaben. Was Sie auswählen, wird hier erklärt und bearbeitet.</translation>
    </message>
    <message>
        <source>Not after its end; rerun it</source>
        <translation>Nach dem Ende gesperrt</translation>
    </message>
    <message>
        <source>Not in the past</source>
        <translation>Nicht in der Vergangenheit</translation>
    </message>
    <message>
        <source>Not while it runs</source>
        <translation>Nicht, solange sie läuft</translation>
    </message>
    <message>
        <source>Nothing else is downstream.</source>
        <translation>Sonst hängt nichts davon ab.</translation>
    </message>
    <message>
        <source>Nothing else is upstream.</source>
        <translation>Sonst hängt es von nichts ab.</translation>
    </message>
    <message>
        <source>On any device</source>
        <translation>Auf einem beliebigen Gerät</translation>
    </message>
    <message>
        <source>Only on %1</source>
        <translation>Nur auf %1</translation>
    </message>
    <message>
        <source>Only watched</source>
        <translation>Nur Zuschauen</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Output:</source>
        <translation>Ausgabe:</translation>
    </message>
    <message>
        <source>Parents</source>
        <translation>Vorgänger</translation>
    </message>
    <message>
        <source>Passes on</source>
        <translation>Reicht weiter</translation>
    </message>
    <message>
        <source>Prefers</source>
        <translation>Bevorzugt</translation>
    </message>
    <message>
        <source>Prioritise</source>
        <translation>Priorisieren</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Auftrag</translation>
    </message>
    <message>
        <source>Prompt for an agent</source>
        <translation>Prompt für einen Agenten</translation>
    </message>
    <message>
        <source>Put back</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Python function</source>
        <translation>Python-Funktion</translation>
    </message>
    <message>
        <source>Raise %1 to %2</source>
        <translation>%1 auf %2 anheben</translation>
    </message>
    <message>
        <source>Raise to %1</source>
        <translation>Auf %1 anheben</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>Entfernt</translation>
    </message>
    <message>
        <source>Retries</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>Schema</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Set it</source>
        <translation>Setzen</translation>
    </message>
    <message>
        <source>Shell</source>
        <translation>Shell</translation>
    </message>
    <message>
        <source>Shell script</source>
        <translation>Shell-Skript</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>Show proposal</source>
        <translation>Vorschlag zeigen</translation>
    </message>
    <message>
        <source>Simulate</source>
        <translation>Simulation</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>Simuliert</translation>
    </message>
    <message>
        <source>Simulated on %1: it has not run</source>
        <translation>Auf %1 simuliert: Sie ist nicht gelaufen</translation>
    </message>
    <message>
        <source>Since %1</source>
        <translation>Seit %1</translation>
    </message>
    <message>
        <source>So many attempts fail, whatever the outcome is.</source>
        <translation>So viele Versuche schlagen fehl, gleich welcher Ausgang angegeben ist.</translation>
    </message>
    <message>
        <source>Take it</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Taken by %1</source>
        <translation>Belegt von %1</translation>
    </message>
    <message>
        <source>The folder it runs in, as seen from its device.</source>
        <translation>Der Ordner, in dem sie läuft, vom Gerät aus gesehen.</translation>
    </message>
    <message>
        <source>The longest pause between two attempts.</source>
        <translation>Die längste Pause zwischen zwei Versuchen.</translation>
    </message>
    <message>
        <source>The only device it may run on.</source>
        <translation>Das einzige Gerät, auf dem sie laufen darf.</translation>
    </message>
    <message>
        <source>The pause before the second attempt.</source>
        <translation>Die Pause vor dem zweiten Versuch.</translation>
    </message>
    <message>
        <source>The priority is the highest already.</source>
        <translation>Die Priorität ist schon die höchste.</translation>
    </message>
    <message>
        <source>The result of a completed attempt: a value of any kind.</source>
        <translation>Das Ergebnis eines gelungenen Versuchs: ein Wert beliebiger Art.</translation>
    </message>
    <message>
        <source>The run goes on only until %1, which does not need it</source>
        <translation>Der Lauf geht nur bis %1 weiter; dafür wird sie nicht gebraucht</translation>
    </message>
    <message>
        <source>The run has not been started</source>
        <translation>Der Lauf wurde nicht gestartet</translation>
    </message>
    <message>
        <source>The run is paused</source>
        <translation>Der Lauf ist angehalten</translation>
    </message>
    <message>
        <source>The task has been removed.</source>
        <translation>Die Aufgabe wurde entfernt.</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>Dann</translation>
    </message>
    <message>
        <source>There is no device</source>
        <translation>Es gibt kein Gerät</translation>
    </message>
    <message>
        <source>There is no device “%1” in the fleet now.</source>
        <translation>In der Flotte gibt es zurzeit kein Gerät „%1“.</translation>
    </message>
    <message>
        <source>There is no device “%1” that could run it</source>
        <translation>Es gibt kein Gerät „%1“, das sie ausführen könnte</translation>
    </message>
    <message>
        <source>There is no run.</source>
        <translation>Es gibt keinen Lauf.</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>Unfold %1</source>
        <translation>%1 aufklappen</translation>
    </message>
    <message>
        <source>Used: %1</source>
        <translation>Verbraucht: %1</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Value: %1</source>
        <translation>Wert: %1</translation>
    </message>
    <message>
        <source>Variables besides those of the device; ${fetch.value} is what the parent fetch has returned. The plan only says where a secret is kept.</source>
        <translation>Variablen neben denen des Geräts; ${fetch.value} ist, was der Vorgänger fetch zurückgegeben hat. Im Plan steht nur, wo ein Geheimnis liegt.</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>Wartet auf</translation>
    </message>
    <message>
        <source>Waits for %1</source>
        <translation>Wartet auf %1</translation>
    </message>
    <message>
        <source>Waits for the agent %1, since %2</source>
        <translation>Wartet auf den Agenten %1, seit %2</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>Wartet auf Sie</translation>
    </message>
    <message>
        <source>Waits for you: %1</source>
        <translation>Wartet auf Sie: %1</translation>
    </message>
    <message>
        <source>Waits for you: %1 of %2</source>
        <translation>Wartet auf Sie: %1 von %2</translation>
    </message>
    <message>
        <source>Waits for you: %1 proposes %2</source>
        <translation>Wartet auf Sie: %1 schlägt %2 vor</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>What an exit code means: warning, error or critical.</source>
        <translation>Was ein Exit-Code bedeutet: warning, error oder critical.</translation>
    </message>
    <message>
        <source>What becomes of an attempt whose program has ended before it.</source>
        <translation>Was aus einem Versuch wird, dessen Programm vor ihm geendet hat.</translation>
    </message>
    <message>
        <source>What happens once nobody is waited for any more.</source>
        <translation>Was geschieht, wenn auf niemanden mehr gewartet wird.</translation>
    </message>
    <message>
        <source>What is answered when the agent asks. It confines nothing; commands are never allowed by it.</source>
        <translation>Was geantwortet wird, wenn der Agent fragt. Es sperrt nichts ein; Befehle werden damit nie erlaubt.</translation>
    </message>
    <message>
        <source>What it completes with; none: what its parents have.</source>
        <translation>Womit sie endet; nichts: was ihre Vorgänger haben.</translation>
    </message>
    <message>
        <source>What its last message ends with; that is its value then.</source>
        <translation>Womit seine letzte Nachricht endet; das ist dann sein Wert.</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Which of its parents it waits for.</source>
        <translation>Auf welche ihrer Vorgänger sie wartet.</translation>
    </message>
    <message>
        <source>With a note…</source>
        <translation>Mit einer Bemerkung …</translation>
    </message>
    <message>
        <source>With all downstream</source>
        <translation>Mit Nachfolgern</translation>
    </message>
    <message>
        <source>With all upstream</source>
        <translation>Mit Vorgängern</translation>
    </message>
    <message>
        <source>a name holds no spaces and no “=”: %1</source>
        <translation>ein Name enthält keine Leerzeichen und kein „=“: %1</translation>
    </message>
    <message>
        <source>a schema is a JSON object, such as {&quot;type&quot;: &quot;object&quot;}</source>
        <translation>ein Schema ist ein JSON-Objekt, etwa {&quot;type&quot;: &quot;object&quot;}</translation>
    </message>
    <message>
        <source>a warning</source>
        <translation>eine Warnung</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>about %1 after the start</source>
        <translation>etwa %1 nach dem Start</translation>
    </message>
    <message>
        <source>about %1 or later</source>
        <translation>etwa %1 oder später</translation>
    </message>
    <message>
        <source>all are rejected</source>
        <translation>alles wird abgelehnt</translation>
    </message>
    <message>
        <source>all parents</source>
        <translation>alle Vorgänger</translation>
    </message>
    <message>
        <source>an error</source>
        <translation>ein Fehler</translation>
    </message>
    <message>
        <source>any</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>any JSON</source>
        <translation>jedes JSON</translation>
    </message>
    <message>
        <source>any device</source>
        <translation>beliebiges Gerät</translation>
    </message>
    <message>
        <source>any device with %1</source>
        <translation>beliebiges Gerät mit %1</translation>
    </message>
    <message>
        <source>any parent</source>
        <translation>ein Vorgänger genügt</translation>
    </message>
    <message>
        <source>any text</source>
        <translation>irgendein Text</translation>
    </message>
    <message>
        <source>as its device says</source>
        <translation>wie sein Gerät sagt</translation>
    </message>
    <message>
        <source>asked each time</source>
        <translation>jedes Mal gefragt</translation>
    </message>
    <message>
        <source>asks</source>
        <translation>fragt</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>back off %1</source>
        <translation>Abstand %1</translation>
    </message>
    <message>
        <source>back off from %1</source>
        <translation>Abstand ab %1</translation>
    </message>
    <message>
        <source>before it starts</source>
        <translation>vor dem Start</translation>
    </message>
    <message>
        <source>completes</source>
        <translation>gelingt</translation>
    </message>
    <message>
        <source>critical, ends the run</source>
        <translation>kritisch, beendet den Lauf</translation>
    </message>
    <message>
        <source>do not run it</source>
        <translation>nicht ausführen</translation>
    </message>
    <message>
        <source>doubles</source>
        <translation>verdoppelt sich</translation>
    </message>
    <message>
        <source>duration unknown</source>
        <translation>Dauer unbekannt</translation>
    </message>
    <message>
        <source>ends in about %1</source>
        <translation>endet in etwa %1</translation>
    </message>
    <message>
        <source>fails</source>
        <translation>schlägt fehl</translation>
    </message>
    <message>
        <source>goes on, else reruns</source>
        <translation>läuft weiter, sonst neu</translation>
    </message>
    <message>
        <source>group %1</source>
        <translation>Gruppe %1</translation>
    </message>
    <message>
        <source>grows evenly</source>
        <translation>wächst gleichmäßig</translation>
    </message>
    <message>
        <source>however long</source>
        <translation>so lange es dauert</translation>
    </message>
    <message>
        <source>it ends the run</source>
        <translation>beendet den Lauf</translation>
    </message>
    <message>
        <source>it is approved</source>
        <translation>gilt als genehmigt</translation>
    </message>
    <message>
        <source>it is on or off</source>
        <translation>es ist an oder aus</translation>
    </message>
    <message>
        <source>it is skipped</source>
        <translation>wird übersprungen</translation>
    </message>
    <message>
        <source>it nests too deeply</source>
        <translation>es ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>its id</source>
        <translation>ihre Kennung</translation>
    </message>
    <message>
        <source>may change files in its directory</source>
        <translation>darf Dateien in seinem Verzeichnis ändern</translation>
    </message>
    <message>
        <source>may read files</source>
        <translation>darf Dateien lesen</translation>
    </message>
    <message>
        <source>no output for %1</source>
        <translation>seit %1 keine Ausgabe</translation>
    </message>
    <message>
        <source>no value yet</source>
        <translation>noch kein Wert</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>not set yet</source>
        <translation>noch nicht gesetzt</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>of its device</source>
        <translation>des Geräts</translation>
    </message>
    <message>
        <source>on the critical path</source>
        <translation>auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source>on the critical path, after %1 because of a limit</source>
        <translation>auf dem kritischen Pfad, nach %1 wegen eines Limits</translation>
    </message>
    <message>
        <source>on the critical path, after %1 in its slot</source>
        <translation>auf dem kritischen Pfad, nach %1 auf dessen Platz</translation>
    </message>
    <message>
        <source>on the critical path, after %1, of whose end was heard late</source>
        <translation>auf dem kritischen Pfad, nach %1, von dessen Ende spät zu hören war</translation>
    </message>
    <message>
        <source>once</source>
        <translation>einmal</translation>
    </message>
    <message>
        <source>once you have answered</source>
        <translation>nach Ihrer Antwort</translation>
    </message>
    <message>
        <source>overdue by %1; no forecast</source>
        <translation>überfällig seit %1; keine Vorhersage</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>festgelegt</translation>
    </message>
    <message>
        <source>rather %1</source>
        <translation>lieber %1</translation>
    </message>
    <message>
        <source>reserved by %1</source>
        <translation>reserviert von %1</translation>
    </message>
    <message>
        <source>results as JSON</source>
        <translation>als JSON</translation>
    </message>
    <message>
        <source>runs again</source>
        <translation>läuft noch einmal</translation>
    </message>
    <message>
        <source>same pause</source>
        <translation>gleiche Pause</translation>
    </message>
    <message>
        <source>say first how long it waits for an answer</source>
        <translation>zuerst angeben, wie lange auf eine Antwort gewartet wird</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>ausgewählt</translation>
    </message>
    <message>
        <source>several values</source>
        <translation>mehrere Werte</translation>
    </message>
    <message>
        <source>the schema is not JSON: in line %1, column %2, %3</source>
        <translation>das Schema ist kein JSON: in Zeile %1, Spalte %2, %3</translation>
    </message>
    <message>
        <source>the value %1 has no name</source>
        <translation>der Wert %1 hat keinen Namen</translation>
    </message>
    <message>
        <source>there is no such kind of task</source>
        <translation>eine solche Art von Aufgabe gibt es nicht</translation>
    </message>
    <message>
        <source>too late</source>
        <translation>zu spät</translation>
    </message>
    <message>
        <source>use 0 to 100, or critical, high, normal, low or background</source>
        <translation>schreiben Sie 0 bis 100 oder critical, high, normal, low oder background</translation>
    </message>
    <message>
        <source>what its parents have</source>
        <translation>was ihre Vorgänger haben</translation>
    </message>
    <message>
        <source>write how many attempts fail, 0 or more</source>
        <translation>angeben, wie viele Versuche fehlschlagen, 0 oder mehr</translation>
    </message>
    <message>
        <source>write how many more attempts there may be, 0 or more</source>
        <translation>eine Zahl weiterer Versuche angeben, 0 oder mehr</translation>
    </message>
    <message>
        <source>write what the task does</source>
        <translation>schreiben, was die Aufgabe tut</translation>
    </message>
    <message>
        <source>“%1” cannot be read: %2.</source>
        <translation>„%1“ ist nicht zu lesen: %2.</translation>
    </message>
    <message>
        <source>“%1” is a new group, without a limit: “Queue &amp; limits” gives it one.</source>
        <translation>„%1“ ist eine neue Gruppe ohne Limit: „Warteschlange“ gibt ihr eines.</translation>
    </message>
</context>
<context>
    <name>JournalHalt</name>
    <message>
        <source>Nothing more is started, as the journal cannot be written</source>
        <translation>Nichts wird mehr gestartet, denn das Journal kann nicht geschrieben werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
</context>
<context>
    <name>LaneArea</name>
    <message>
        <source>Nothing has run yet, and nothing is foreseen. Attempts will be here.</source>
        <translation>Noch ist nichts gelaufen, und nichts ist vorherzusehen. Versuche erscheinen hier.</translation>
    </message>
    <message>
        <source>Nothing has run yet. Every attempt will be a bar here, in the lane of its slot.</source>
        <translation>Noch ist nichts gelaufen. Jeder Versuch wird hier ein Balken, in der Spur seines Platzes.</translation>
    </message>
    <message>
        <source>Nothing has run.</source>
        <translation>Nichts ist gelaufen.</translation>
    </message>
    <message>
        <source>Nothing has started yet. Every attempt will be a bar here, in the lane of its slot.</source>
        <translation>Noch ist nichts gestartet. Jeder Versuch wird hier ein Balken, in der Spur seines Platzes.</translation>
    </message>
    <message>
        <source>Nothing is foreseen: nothing that can start by itself has an estimate. Attempts will be here.</source>
        <translation>Nichts ist vorherzusehen: Was von selbst starten kann, hat keine Schätzung. Versuche erscheinen hier.</translation>
    </message>
</context>
<context>
    <name>LastTabs</name>
    <message>
        <source>No longer there, and so not opened again: %1</source>
        <translation>Nicht mehr da und deshalb nicht wieder geöffnet: %1</translation>
    </message>
</context>
<context>
    <name>LayoutActions</name>
    <message>
        <source>Nothing is open.</source>
        <translation>Nichts ist offen.</translation>
    </message>
</context>
<context>
    <name>LayoutController</name>
    <message>
        <source>Let dependencies point down</source>
        <translation>Abhängigkeiten nach unten zeigen lassen</translation>
    </message>
    <message>
        <source>Let dependencies point right</source>
        <translation>Abhängigkeiten nach rechts zeigen lassen</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 verschieben</translation>
    </message>
    <message>
        <source>Tidy</source>
        <translation>Aufräumen</translation>
    </message>
</context>
<context>
    <name>Leaving</name>
    <message numerus="yes">
        <source>%n change(s) are staged for what has ended and would be lost: %1. Commit them to have it go on, or discard them.</source>
        <translation>
            <numerusform>%n Änderung ist für etwas gesammelt, das beendet ist, und ginge verloren: %1. Übernehmen Sie sie, damit es weitergeht, oder verwerfen Sie sie.</numerusform>
            <numerusform>%n Änderungen sind für etwas gesammelt, das beendet ist, und gingen verloren: %1. Übernehmen Sie sie, damit es weitergeht, oder verwerfen Sie sie.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) are staged in this window alone and would be lost: %1. Commit or discard them.</source>
        <translation>
            <numerusform>%n Änderung ist nur in diesem Fenster vorgemerkt und ginge verloren: %1. Übernehmen oder verwerfen.</numerusform>
            <numerusform>%n Änderungen sind nur in diesem Fenster vorgemerkt und gingen verloren: %1. Übernehmen oder verwerfen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Discard staged changes?</source>
        <translation>Gesammelte Änderungen verwerfen?</translation>
    </message>
</context>
<context>
    <name>LeftRuns</name>
    <message>
        <source>“%1” has ended meanwhile: %2.</source>
        <translation>„%1“ ist inzwischen zu Ende: %2.</translation>
    </message>
</context>
<context>
    <name>Legality</name>
    <message>
        <source>%1 can&apos;t be removed: %2 depends on it and has started.</source>
        <translation>%1 lässt sich nicht entfernen: %2 hängt davon ab und ist gestartet.</translation>
    </message>
    <message>
        <source>%1 can&apos;t be removed: %2 depends on it and was skipped.</source>
        <translation>%1 kann nicht entfernt werden: %2 hängt davon ab und wurde übersprungen.</translation>
    </message>
    <message>
        <source>%1 depends on %2 already.</source>
        <translation>%1 hängt schon von %2 ab.</translation>
    </message>
    <message>
        <source>%1 has ended: %2.</source>
        <translation>%1 ist beendet: %2.</translation>
    </message>
    <message>
        <source>%1 is removed.</source>
        <translation>%1 ist entfernt.</translation>
    </message>
    <message>
        <source>%1 is running.</source>
        <translation>%1 läuft.</translation>
    </message>
    <message>
        <source>A task can&apos;t depend on itself.</source>
        <translation>Eine Aufgabe kann nicht von sich selbst abhängen.</translation>
    </message>
    <message>
        <source>It leads there already.</source>
        <translation>Sie führt schon dorthin.</translation>
    </message>
    <message>
        <source>No task is selected.</source>
        <translation>Keine Aufgabe ist ausgewählt.</translation>
    </message>
    <message>
        <source>The run was cancelled; nothing can be added to it.</source>
        <translation>Der Lauf wurde abgebrochen; es lässt sich nichts mehr hinzufügen.</translation>
    </message>
    <message>
        <source>The task</source>
        <translation>Die Aufgabe</translation>
    </message>
    <message>
        <source>This dependency is removed.</source>
        <translation>Diese Abhängigkeit ist entfernt.</translation>
    </message>
    <message>
        <source>This task is not there.</source>
        <translation>Diese Aufgabe gibt es nicht.</translation>
    </message>
    <message>
        <source>This would close a cycle.</source>
        <translation>Das schlösse einen Kreis.</translation>
    </message>
    <message>
        <source>This would close the cycle %1.</source>
        <translation>Das würde den Zyklus %1 schließen.</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>always</source>
        <translation>immer</translation>
    </message>
    <message>
        <source>breakpoint</source>
        <translation>Haltepunkt</translation>
    </message>
    <message>
        <source>bypassed</source>
        <translation>überbrückt</translation>
    </message>
    <message>
        <source>condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>kritisch</translation>
    </message>
    <message>
        <source>failure</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>held</source>
        <translation>zurückgehalten</translation>
    </message>
    <message>
        <source>no output</source>
        <translation>ohne Ausgabe</translation>
    </message>
    <message>
        <source>only simulated</source>
        <translation>nur simuliert</translation>
    </message>
    <message>
        <source>overdue</source>
        <translation>überfällig</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>festgelegt</translation>
    </message>
    <message>
        <source>retries</source>
        <translation>neuer Versuch</translation>
    </message>
    <message>
        <source>success</source>
        <translation>Erfolg</translation>
    </message>
    <message>
        <source>typed, not set</source>
        <translation>geschrieben, nicht gesetzt</translation>
    </message>
    <message>
        <source>waits for an answer</source>
        <translation>wartet auf Antwort</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>wartet auf Sie</translation>
    </message>
</context>
<context>
    <name>LimitButton</name>
    <message>
        <source>%1, limit now %2</source>
        <translation>%1, Limit nun %2</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>Alle Läufe</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieser Lauf</translation>
    </message>
</context>
<context>
    <name>LimitPopover</name>
    <message>
        <source>Limit running tasks</source>
        <translation>Laufende Aufgaben begrenzen</translation>
    </message>
    <message>
        <source>Lowering a limit stops nothing that runs.</source>
        <translation>Ein niedrigeres Limit hält nichts an, was läuft.</translation>
    </message>
    <message>
        <source>Running at once</source>
        <translation>Zugleich laufend</translation>
    </message>
</context>
<context>
    <name>LimitRow</name>
    <message>
        <source>%1 Nothing was changed.</source>
        <translation>%1 Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>%1, used %2</source>
        <translation>%1, belegt %2</translation>
    </message>
    <message>
        <source>Limit of %1</source>
        <translation>Limit von %1</translation>
    </message>
    <message>
        <source>Set to %1 meanwhile</source>
        <translation>Inzwischen auf %1 gesetzt</translation>
    </message>
</context>
<context>
    <name>Limits</name>
    <message>
        <source>All runs</source>
        <translation>Alle Läufe</translation>
    </message>
    <message>
        <source>Clear: %1</source>
        <translation>Leeren: %1</translation>
    </message>
    <message>
        <source>Each run of this plan</source>
        <translation>Jeder Lauf dieses Plans</translation>
    </message>
    <message>
        <source>How many tasks it runs at once. Taking slots away stops nothing that runs there.</source>
        <translation>Wie viele Aufgaben es zugleich ausführt. Plätze wegzunehmen hält nichts an, was dort läuft.</translation>
    </message>
    <message>
        <source>Limit groups of all runs</source>
        <translation>Limitgruppen aller Läufe</translation>
    </message>
    <message>
        <source>Limit groups of this plan</source>
        <translation>Limitgruppen dieses Plans</translation>
    </message>
    <message>
        <source>One less</source>
        <translation>Einer weniger</translation>
    </message>
    <message>
        <source>One more</source>
        <translation>Einer mehr</translation>
    </message>
    <message>
        <source>Running at once</source>
        <translation>Zugleich laufend</translation>
    </message>
    <message>
        <source>Set slots</source>
        <translation>Plätze festlegen</translation>
    </message>
    <message>
        <source>Slots of devices</source>
        <translation>Plätze der Geräte</translation>
    </message>
    <message>
        <source>That is no number.</source>
        <translation>Das ist keine Zahl.</translation>
    </message>
    <message>
        <source>That is no whole number.</source>
        <translation>Das ist keine ganze Zahl.</translation>
    </message>
    <message>
        <source>The least is %1.</source>
        <translation>Mindestens %1.</translation>
    </message>
    <message>
        <source>The most is %1.</source>
        <translation>Höchstens %1.</translation>
    </message>
    <message>
        <source>There has to be a number.</source>
        <translation>Hier muss eine Zahl stehen.</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieser Lauf</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>jetzt %1</translation>
    </message>
    <message>
        <source>unlimited</source>
        <translation>unbegrenzt</translation>
    </message>
</context>
<context>
    <name>LimitsList</name>
    <message>
        <source>Limits</source>
        <translation>Limits</translation>
    </message>
</context>
<context>
    <name>LinkLoss</name>
    <message>
        <source>%1 does not answer</source>
        <translation>%1 antwortet nicht</translation>
    </message>
    <message>
        <source>%1 is followed no more</source>
        <translation>%1 wird nicht mehr verfolgt</translation>
    </message>
    <message>
        <source>Gone from %1 while it was not reached: %2</source>
        <translation>Von %1 verschwunden, während es nicht erreicht wurde: %2</translation>
    </message>
    <message>
        <source>Its program stands still, or has too much to do. Until it answers nothing can be changed here.</source>
        <translation>Das Programm dort steht still oder hat zu viel zu tun. Bis es antwortet, lässt sich hier nichts ändern.</translation>
    </message>
    <message>
        <source>Its runs go on once it is started with --resume. It is looked for; until then nothing can be changed here.</source>
        <translation>Seine Läufe gehen weiter, sobald er mit --resume gestartet wird. Er wird gesucht; bis dahin lässt sich hier nichts ändern.</translation>
    </message>
    <message>
        <source>No run went on there. The connection is being restored; until then nothing can be changed here.</source>
        <translation>Dort ging kein Lauf mehr weiter. Die Verbindung wird wiederhergestellt; bis dahin lässt sich hier nichts ändern.</translation>
    </message>
    <message>
        <source>Runs there may go on. The connection is being restored; until then nothing can be changed here.</source>
        <translation>Läufe dort gehen vielleicht weiter. Die Verbindung wird wiederhergestellt; bis dahin lässt sich hier nichts ändern.</translation>
    </message>
    <message>
        <source>Somebody has removed them, or a server was started that is not given them. Add them again if they are missed: what is added to a server stays with it.</source>
        <translation>Jemand hat sie entfernt, oder es wurde ein Server gestartet, dem sie nicht mitgegeben sind. Fügen Sie sie wieder hinzu, wenn sie fehlen: Was zu einem Server hinzugefügt wird, bleibt bei ihm.</translation>
    </message>
    <message>
        <source>The connection to %1 is lost</source>
        <translation>Die Verbindung zu „%1“ ist weg</translation>
    </message>
    <message>
        <source>The next one is looked for; until then nothing can be changed here.</source>
        <translation>Der nächste wird gesucht; bis dahin lässt sich hier nichts ändern.</translation>
    </message>
    <message>
        <source>The server of %1 has ended</source>
        <translation>Der Server von %1 ist beendet</translation>
    </message>
</context>
<context>
    <name>LoadingStrip</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>LossPlurals</name>
    <message numerus="yes">
        <source>%1 of %n dependency(ies)</source>
        <translation>
            <numerusform>%1 von %n Abhängigkeit</numerusform>
            <numerusform>%1 von %n Abhängigkeiten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n task(s)</source>
        <translation>
            <numerusform>%1 von %n Aufgabe</numerusform>
            <numerusform>%1 von %n Aufgaben</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>%1, only watched</source>
        <translation>%1, nur Zuschauen</translation>
    </message>
    <message>
        <source>%1, waits for you</source>
        <translation>%1, wartet auf Sie</translation>
    </message>
    <message>
        <source>Connect it to a server.</source>
        <translation>Verbinden Sie es mit einem Server.</translation>
    </message>
    <message>
        <source>The window shows one engine.</source>
        <translation>Das Fenster zeigt eine einzige Engine.</translation>
    </message>
    <message>
        <source>This engine is the window&apos;s own.</source>
        <translation>Diese Engine ist die des Fensters selbst.</translation>
    </message>
</context>
<context>
    <name>MarginInput</name>
    <message>
        <source>Close it (Enter)</source>
        <translation>Schließen (Eingabe)</translation>
    </message>
    <message>
        <source>Show what exactly it does (Enter)</source>
        <translation>Zeigen, was genau getan wird (Eingabe)</translation>
    </message>
    <message>
        <source>Written to stderr</source>
        <translation>Auf stderr geschrieben</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;Devices</source>
        <translation>&amp;Geräte</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;Tasks</source>
        <translation>A&amp;ufgaben</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>A&amp;nsicht</translation>
    </message>
    <message>
        <source>Arrange</source>
        <translation>Anordnen</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>Zuletzt geöffnete</translation>
    </message>
    <message>
        <source>Panes</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <source>Perspective</source>
        <translation>Perspektive</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>Reservation</source>
        <translation>Reservierung</translation>
    </message>
    <message>
        <source>Reservation of the device</source>
        <translation>Reservierung des Geräts</translation>
    </message>
    <message>
        <source>Reservation of the fleet</source>
        <translation>Reservierung der Flotte</translation>
    </message>
    <message>
        <source>Select along dependencies</source>
        <translation>Entlang der Abhängigkeiten auswählen</translation>
    </message>
    <message>
        <source>Size of text and everything</source>
        <translation>Größe von Text und allem</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
</context>
<context>
    <name>MessageBar</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message numerus="yes">
        <source>%n more message(s): %1</source>
        <translation>
            <numerusform>%n weitere Meldung: %1</numerusform>
            <numerusform>%n weitere Meldungen: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notice(s)</source>
        <translation>
            <numerusform>%n Hinweis</numerusform>
            <numerusform>%n Hinweise</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n Problem</numerusform>
            <numerusform>%n Probleme</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy this as text</source>
        <translation>Dies als Text kopieren</translation>
    </message>
    <message>
        <source>Copy what went wrong as text</source>
        <translation>Als Text kopieren, was schiefging</translation>
    </message>
    <message>
        <source>Put this away</source>
        <translation>Weglegen</translation>
    </message>
</context>
<context>
    <name>MiniMap</name>
    <message>
        <source>Overview of the graph</source>
        <translation>Übersicht des Graphen</translation>
    </message>
    <message>
        <source>Overview: click or drag to look elsewhere</source>
        <translation>Übersicht: klicken oder ziehen, um woanders hinzusehen</translation>
    </message>
</context>
<context>
    <name>NoteField</name>
    <message>
        <source>Ctrl+Enter keeps what is written, Escape what was.</source>
        <translation>Strg+Eingabe behält, was geschrieben ist, Esc, was war.</translation>
    </message>
    <message>
        <source>Escape once more throws away what is written, Ctrl+Enter keeps it.</source>
        <translation>Noch einmal Escape verwirft, was geschrieben ist; Strg+Eingabe behält es.</translation>
    </message>
    <message>
        <source>Text of the note</source>
        <translation>Text der Notiz</translation>
    </message>
    <message>
        <source>Text of the note on %1</source>
        <translation>Text der Notiz an %1</translation>
    </message>
    <message>
        <source>Write a note on %1. Ctrl+Enter keeps it.</source>
        <translation>Notiz an %1 schreiben. Strg+Eingabe behält sie.</translation>
    </message>
    <message>
        <source>Write a note. Ctrl+Enter keeps it.</source>
        <translation>Eine Notiz schreiben. Strg+Eingabe behält sie.</translation>
    </message>
</context>
<context>
    <name>NoteLayer</name>
    <message>
        <source>Note: %1</source>
        <translation>Notiz: %1</translation>
    </message>
</context>
<context>
    <name>NoteVerbs</name>
    <message>
        <source>%1 on the canvas goes from note to note.</source>
        <translation>%1 im Graphen geht von Notiz zu Notiz.</translation>
    </message>
    <message>
        <source>Add note</source>
        <translation>Notiz hinzufügen</translation>
    </message>
    <message>
        <source>Change the width of a note</source>
        <translation>Breite einer Notiz ändern</translation>
    </message>
    <message>
        <source>Edit note</source>
        <translation>Notiz bearbeiten</translation>
    </message>
    <message>
        <source>Move note</source>
        <translation>Notiz verschieben</translation>
    </message>
    <message>
        <source>No note is selected.</source>
        <translation>Keine Notiz ist ausgewählt.</translation>
    </message>
    <message>
        <source>Remove note</source>
        <translation>Notiz entfernen</translation>
    </message>
    <message>
        <source>There are %1 notes, which is as many as there can be.</source>
        <translation>Es gibt %1 Notizen; mehr können es nicht sein.</translation>
    </message>
    <message>
        <source>There are no notes yet. %1 adds one.</source>
        <translation>Es gibt noch keine Notizen. %1 fügt eine hinzu.</translation>
    </message>
</context>
<context>
    <name>NoticeChannels</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Desktop</source>
        <translation>Desktop</translation>
    </message>
    <message>
        <source>Desktop and sound</source>
        <translation>Desktop und Ton</translation>
    </message>
    <message>
        <source>Empty: never. Only on devices that tell what tasks print.</source>
        <translation>Leer: nie. Nur auf Geräten, die melden, was Aufgaben ausgeben.</translation>
    </message>
    <message>
        <source>Minutes without output until a running task is marked</source>
        <translation>Minuten ohne Ausgabe, nach denen eine laufende Aufgabe ein Zeichen bekommt</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>Of the kinds that are ticked under “Tell me of…”. On the desktop they are shown while this window is not in front. A sound is that of the system, at most one every two seconds.</source>
        <translation>Von den Arten, die unter „Benachrichtigen über …“ angekreuzt sind. Auf dem Desktop erscheinen sie, solange dieses Fenster nicht vorn ist. Der Ton ist der des Systems, höchstens einer alle zwei Sekunden.</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>Try the sound</source>
        <translation>Ton anhören</translation>
    </message>
</context>
<context>
    <name>NoticePopup</name>
    <message>
        <source>Also on the desktop, while this window is not in front</source>
        <translation>Auch auf dem Desktop, solange dieses Fenster nicht im Vordergrund ist</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Desktop and sound…</source>
        <translation>Desktop und Ton …</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>What fails, ends or gets stuck will be listed here.</source>
        <translation>Was fehlschlägt, endet oder stecken bleibt, wird hier stehen.</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>%1 cannot go on</source>
        <translation>%1 kann nicht weitergehen</translation>
    </message>
    <message>
        <source>%1 could not go on</source>
        <translation>%1 kam nicht weiter</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 has ended: %2</source>
        <translation>%1 ist beendet: %2</translation>
    </message>
    <message>
        <source>%1 is unreachable</source>
        <translation>%1 ist nicht erreichbar</translation>
    </message>
    <message>
        <source>%1 printed nothing</source>
        <translation>%1 gab nichts aus</translation>
    </message>
    <message>
        <source>%1 prints nothing</source>
        <translation>%1 gibt nichts aus</translation>
    </message>
    <message>
        <source>%1 waited for you</source>
        <translation>%1 wartete auf Sie</translation>
    </message>
    <message>
        <source>%1 waits for you</source>
        <translation>%1 wartet auf Sie</translation>
    </message>
    <message>
        <source>%1 was lost</source>
        <translation>%1 ging verloren</translation>
    </message>
    <message>
        <source>%1 was unreachable</source>
        <translation>%1 war nicht erreichbar</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: a warning</source>
        <translation>%1: eine Warnung</translation>
    </message>
    <message>
        <source>Devices lost while tasks run there</source>
        <translation>Geräte, die verloren gehen, während dort Aufgaben laufen</translation>
    </message>
    <message>
        <source>Runs that cannot go on</source>
        <translation>Läufe, die nicht weitergehen können</translation>
    </message>
    <message>
        <source>Runs that end</source>
        <translation>Läufe, die enden</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Tasks that fail for good</source>
        <translation>Aufgaben, die endgültig fehlschlagen</translation>
    </message>
    <message>
        <source>Tasks that print nothing for long</source>
        <translation>Aufgaben, die lange nichts ausgeben</translation>
    </message>
    <message>
        <source>Tasks that warn or are overdue</source>
        <translation>Aufgaben, die warnen oder überfällig sind</translation>
    </message>
    <message>
        <source>What waits for you: agents&apos; edits, gates</source>
        <translation>Was auf Sie wartet: Änderungen von Agenten, Freigaben</translation>
    </message>
    <message>
        <source>no output for %1 min</source>
        <translation>seit %1 min keine Ausgabe</translation>
    </message>
    <message>
        <source>overdue on %1: it was expected to take %2</source>
        <translation>überfällig auf %1: erwartet waren %2</translation>
    </message>
</context>
<context>
    <name>Notifier</name>
    <message numerus="yes">
        <source>%n notification(s)</source>
        <translation>
            <numerusform>%n Benachrichtigung</numerusform>
            <numerusform>%n Benachrichtigungen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OpenDocuments</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>New plan</source>
        <translation>Neuer Plan</translation>
    </message>
    <message>
        <source>New plan %1</source>
        <translation>Neuer Plan %1</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
</context>
<context>
    <name>Opening</name>
    <message>
        <source> Reload would lose the changes you have not saved.</source>
        <translation> Neu laden würde die nicht gespeicherten Änderungen verlieren.</translation>
    </message>
    <message>
        <source> The changes you have not saved would be lost.</source>
        <translation> Ungespeicherte Änderungen gingen verloren.</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>%1 has changed on disk since it was opened. What would run is what is shown here.%2</source>
        <translation>%1 wurde auf der Platte geändert, seit es geöffnet wurde. Ausgeführt würde, was hier gezeigt ist.%2</translation>
    </message>
    <message>
        <source>%1 has changed on disk since it was opened.%2</source>
        <translation>%1 hat sich auf der Platte geändert, seit es geöffnet wurde.%2</translation>
    </message>
    <message>
        <source>%1 in %2. Nothing was opened, and nothing has changed.</source>
        <translation>%1 in %2. Nichts wurde geöffnet, und nichts hat sich geändert.</translation>
    </message>
    <message>
        <source>%1 is still being opened. Press the key again once it is there.</source>
        <translation>%1 wird noch geöffnet. Drücken Sie die Taste noch einmal, sobald der Plan da ist.</translation>
    </message>
    <message>
        <source>%1 was not opened</source>
        <translation>%1 wurde nicht geöffnet</translation>
    </message>
    <message>
        <source>%1, first of all %2</source>
        <translation>%1, vor allem %2</translation>
    </message>
    <message>
        <source>%1: %2. This is a defect.</source>
        <translation>%1: %2. Das ist ein Fehler des Programms.</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Keep what is open</source>
        <translation>Behalten, was offen ist</translation>
    </message>
    <message>
        <source>Open a plan or a run</source>
        <translation>Einen Plan oder einen Lauf öffnen</translation>
    </message>
    <message>
        <source>Opening %1 · %2</source>
        <translation>%1 wird geöffnet · %2</translation>
    </message>
    <message>
        <source>Opening %1 · %2 · file %3 of %4</source>
        <translation>%1 wird geöffnet · %2 · Datei %3 von %4</translation>
    </message>
    <message>
        <source>Plans (%1)</source>
        <translation>Pläne (%1)</translation>
    </message>
    <message>
        <source>Plans and runs (%1)</source>
        <translation>Pläne und Läufe (%1)</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Reload “%1”?</source>
        <translation>„%1“ neu laden?</translation>
    </message>
    <message>
        <source>Runs (%1)</source>
        <translation>Läufe (%1)</translation>
    </message>
    <message>
        <source>Show problems</source>
        <translation>Probleme zeigen</translation>
    </message>
    <message>
        <source>Start as shown</source>
        <translation>Wie gezeigt starten</translation>
    </message>
    <message>
        <source>Start “%1” as it is here?</source>
        <translation>„%1“ so starten, wie es hier steht?</translation>
    </message>
    <message>
        <source>The file %1 is read again.%2</source>
        <translation>Die Datei %1 wird erneut gelesen.%2</translation>
    </message>
</context>
<context>
    <name>Ordering</name>
    <message>
        <source>After “%1”: priority %2</source>
        <translation>Nach „%1“: Priorität %2</translation>
    </message>
    <message>
        <source>Also after “%1”</source>
        <translation>Auch nach „%1“</translation>
    </message>
    <message>
        <source>Also after “%1” and %2</source>
        <translation>Auch nach „%1“ und %2</translation>
    </message>
    <message>
        <source>Also before “%1”</source>
        <translation>Auch vor „%1“</translation>
    </message>
    <message>
        <source>Also before “%1” and %2</source>
        <translation>Auch vor „%1“ und %2</translation>
    </message>
    <message>
        <source>Before “%1”: priority %2</source>
        <translation>Vor „%1“: Priorität %2</translation>
    </message>
    <message>
        <source>By the queue as it is: staged priorities do not count yet.</source>
        <translation>Nach der Warteschlange, wie sie ist: Gesammelte Prioritäten zählen noch nicht.</translation>
    </message>
    <message>
        <source>It belongs to another run.</source>
        <translation>Sie gehört zu einem anderen Lauf.</translation>
    </message>
    <message>
        <source>It does not stand in line: only ready tasks do.</source>
        <translation>Sie steht nicht in der Warteschlange: das tun nur bereite Aufgaben.</translation>
    </message>
    <message>
        <source>One of the two has waited for so long that no priority has it pass “%1”.</source>
        <translation>Eine der beiden wartet so lange, dass keine Priorität sie an „%1“ vorbeibringt.</translation>
    </message>
    <message>
        <source>Run %1 after %2</source>
        <translation>%1 nach %2 ausführen</translation>
    </message>
    <message>
        <source>Run %1 before %2</source>
        <translation>%1 vor %2 ausführen</translation>
    </message>
    <message>
        <source>Stays at place %1</source>
        <translation>Bleibt auf Platz %1</translation>
    </message>
    <message>
        <source>Turn to that run to move its tasks.</source>
        <translation>Wechseln Sie zu jenem Lauf, um seine Aufgaben zu verschieben.</translation>
    </message>
    <message>
        <source>“%1” does not stand in line: only ready tasks do.</source>
        <translation>„%1“ steht nicht in der Warteschlange: das tun nur bereite Aufgaben.</translation>
    </message>
    <message>
        <source>“%1” has priority 0 as well, and came later: nothing is lower.</source>
        <translation>„%1“ hat auch Priorität 0 und kam später: niedriger geht es nicht.</translation>
    </message>
    <message>
        <source>“%1” has priority 100 as well, and came first: nothing is higher.</source>
        <translation>„%1“ hat auch Priorität 100 und kam zuerst: höher geht es nicht.</translation>
    </message>
    <message>
        <source>“%1” needs it and has priority %2, which it inherits: it cannot come after “%3”.</source>
        <translation>„%1“ braucht sie und hat Priorität %2, die sie erbt: nach „%3“ kann sie nicht kommen.</translation>
    </message>
</context>
<context>
    <name>Outages</name>
    <message>
        <source>Lost in %1</source>
        <translation>Verloren in %1</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Refused since %1</source>
        <translation>Abgelehnt seit %1</translation>
    </message>
    <message>
        <source>Refused since %2 · lost in %1</source>
        <translation>Abgelehnt seit %2 · verloren in %1</translation>
    </message>
    <message>
        <source>Refused, lost in %1</source>
        <translation>Abgelehnt, verloren in %1</translation>
    </message>
    <message>
        <source>Unreachable</source>
        <translation>Nicht erreichbar</translation>
    </message>
    <message>
        <source>Unreachable since %1</source>
        <translation>Nicht erreichbar seit %1</translation>
    </message>
    <message>
        <source>Unreachable since %2 · lost in %1</source>
        <translation>Unerreichbar seit %2 · verloren in %1</translation>
    </message>
    <message>
        <source>Unreachable, lost in %1</source>
        <translation>Unerreichbar, verloren in %1</translation>
    </message>
    <message>
        <source>lost in %1</source>
        <translation>verloren in %1</translation>
    </message>
    <message>
        <source>unreachable since %1 · lost in %2</source>
        <translation>unerreichbar seit %1 · verloren in %2</translation>
    </message>
    <message>
        <source>unreachable since %1 · stopped once it is back</source>
        <translation>nicht erreichbar seit %1 · wird angehalten, sobald es wieder da ist</translation>
    </message>
    <message>
        <source>unreachable, lost in %1</source>
        <translation>unerreichbar, verloren in %1</translation>
    </message>
</context>
<context>
    <name>Outline</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Group %1, %2: %3</source>
        <translation>Gruppe %1, %2: %3</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>attempt %1</source>
        <translation>Versuch %1</translation>
    </message>
    <message>
        <source>done on %1 in %2</source>
        <translation>fertig auf %1 in %2</translation>
    </message>
    <message>
        <source>failed on %1: %2</source>
        <translation>fehlgeschlagen auf %1: %2</translation>
    </message>
    <message>
        <source>failed, a warning, on %1: %2</source>
        <translation>fehlgeschlagen, eine Warnung, auf %1: %2</translation>
    </message>
    <message>
        <source>priority %1</source>
        <translation>Priorität %1</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>running on %1 for %2</source>
        <translation>läuft auf %1 seit %2</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>wartet auf %1</translation>
    </message>
</context>
<context>
    <name>OutlinePanel</name>
    <message>
        <source>All tasks in their groups, and how they stand</source>
        <translation>Alle Aufgaben in ihren Gruppen, und wie sie stehen</translation>
    </message>
    <message>
        <source>No tasks yet. They will stand here in their groups.</source>
        <translation>Noch keine Aufgaben. Sie werden hier in ihren Gruppen stehen.</translation>
    </message>
    <message>
        <source>Open a plan from a file</source>
        <translation>Einen Plan aus einer Datei öffnen</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>Gliederung</translation>
    </message>
</context>
<context>
    <name>OutputComparing</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>There is no other attempt. Compare the run with an earlier one to have its attempts here.</source>
        <translation>Es gibt keinen anderen Versuch. Vergleichen Sie den Lauf mit einem früheren, um dessen Versuche hier zu haben.</translation>
    </message>
</context>
<context>
    <name>OutputCorner</name>
    <message>
        <source>Compare attempts…</source>
        <translation>Versuche vergleichen …</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Alles kopieren</translation>
    </message>
    <message>
        <source>Follow what is printed; scrolling up stops that</source>
        <translation>Dem Gedruckten folgen; nach oben zu blättern beendet das</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Save to file…</source>
        <translation>In Datei speichern …</translation>
    </message>
    <message>
        <source>Show this output beside that of another attempt, or of the run this one is compared with</source>
        <translation>Diese Ausgabe neben der eines anderen Versuchs zeigen, oder des Laufs, mit dem dieser verglichen wird</translation>
    </message>
    <message>
        <source>Show when each line was printed</source>
        <translation>Zeigen, wann jede Zeile gedruckt wurde</translation>
    </message>
    <message>
        <source>Stay with this task whatever is selected</source>
        <translation>Bei dieser Aufgabe bleiben, was auch ausgewählt wird</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Wrap lines</source>
        <translation>Zeilen umbrechen</translation>
    </message>
</context>
<context>
    <name>OutputDifferenceDialog</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 more rows are not shown; the copied diff has them.</source>
        <translation>%1 weitere Zeilen werden nicht gezeigt; der kopierte Diff hat sie.</translation>
    </message>
    <message numerus="yes">
        <source>%n difference(s).</source>
        <translation>
            <numerusform>%n Unterschied.</numerusform>
            <numerusform>%n Unterschiede.</numerusform>
        </translation>
    </message>
    <message>
        <source>A file is not there any more; of that output only its end was kept.</source>
        <translation>Eine Datei ist nicht mehr da; von dieser Ausgabe wurde nur das Ende behalten.</translation>
    </message>
    <message>
        <source>An output cannot be read: %1. Nothing is compared.</source>
        <translation>Eine Ausgabe lässt sich nicht lesen: %1. Nichts wurde verglichen.</translation>
    </message>
    <message>
        <source>Both are equal.</source>
        <translation>Beide sind gleich.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Compare outputs</source>
        <translation>Ausgaben vergleichen</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen …</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy as unified diff</source>
        <translation>Als Unified Diff kopieren</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Neither of the two has printed anything.</source>
        <translation>Keiner der beiden hat etwas ausgegeben.</translation>
    </message>
    <message>
        <source>Next difference</source>
        <translation>Nächster Unterschied</translation>
    </message>
    <message>
        <source>One of them still ran at %1; compare again to see what came since.</source>
        <translation>Einer der beiden lief um %1 noch; ein neuer Vergleich zeigt, was seitdem kam.</translation>
    </message>
    <message>
        <source>Only the last %1 lines of each, at most 8 MiB, are compared.</source>
        <translation>Verglichen werden nur die letzten %1 Zeilen von jeder, höchstens 8 MiB.</translation>
    </message>
    <message>
        <source>Previous difference</source>
        <translation>Voriger Unterschied</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
</context>
<context>
    <name>OutputPane</name>
    <message>
        <source>%1 has not begun. What it prints will appear here.</source>
        <translation>%1 hat nicht begonnen. Die Ausgabe wird hier erscheinen.</translation>
    </message>
    <message>
        <source>%1 has printed nothing yet.</source>
        <translation>%1 hat noch nichts ausgegeben.</translation>
    </message>
    <message>
        <source>%1 is a gate: it asks a person and prints nothing.</source>
        <translation>%1 ist eine Freigabe: Sie fragt einen Menschen und gibt nichts aus.</translation>
    </message>
    <message>
        <source>%1 never ran, so it printed nothing.</source>
        <translation>%1 lief nie und hat daher nichts ausgegeben.</translation>
    </message>
    <message>
        <source>%1 printed nothing.</source>
        <translation>%1 hat nichts ausgegeben.</translation>
    </message>
    <message numerus="yes">
        <source>%n earlier line(s) are in the task&apos;s file.</source>
        <translation>
            <numerusform>%n frühere Zeile steht in der Datei der Aufgabe.</numerusform>
            <numerusform>%n frühere Zeilen stehen in der Datei der Aufgabe.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n earlier line(s) were not kept.</source>
        <translation>
            <numerusform>%n frühere Zeile wurde nicht aufbewahrt.</numerusform>
            <numerusform>%n frühere Zeilen wurden nicht aufbewahrt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Compare attempts…</source>
        <translation>Versuche vergleichen …</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Alles kopieren</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Earlier lines are in the task&apos;s file.</source>
        <translation>Frühere Zeilen stehen in der Datei der Aufgabe.</translation>
    </message>
    <message>
        <source>Earlier lines were not kept.</source>
        <translation>Frühere Zeilen wurden nicht aufbewahrt.</translation>
    </message>
    <message>
        <source>Load earlier lines</source>
        <translation>Frühere Zeilen laden</translation>
    </message>
    <message>
        <source>No program of this system opens %1. The whole output is there.</source>
        <translation>Kein Programm dieses Systems öffnet %1. Die ganze Ausgabe steht dort.</translation>
    </message>
    <message>
        <source>Open the whole file</source>
        <translation>Die ganze Datei öffnen</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Output is not timed: this is all of it, also what was printed after this moment.</source>
        <translation>Ausgaben haben keine Zeiten: Dies ist alles, auch was nach diesem Augenblick ausgegeben wurde.</translation>
    </message>
    <message>
        <source>Save to file…</source>
        <translation>In Datei speichern …</translation>
    </message>
    <message>
        <source>Search…</source>
        <translation>Suchen …</translation>
    </message>
    <message>
        <source>Select a task to see what it prints.</source>
        <translation>Eine Aufgabe auswählen, um ihre Ausgabe zu sehen.</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>The output file %1 cannot be read: %2.</source>
        <translation>Die Ausgabedatei %1 ist nicht zu lesen: %2.</translation>
    </message>
    <message>
        <source>This is not a regular expression: %1.</source>
        <translation>Das ist kein regulärer Ausdruck: %1.</translation>
    </message>
</context>
<context>
    <name>Overview</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>By status</source>
        <translation>Nach Status</translation>
    </message>
    <message>
        <source>Critical path, with slots</source>
        <translation>Kritischer Pfad (Plätze)</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>Revision</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>The run</source>
        <translation>Der Lauf</translation>
    </message>
    <message>
        <source>Waiting on it</source>
        <translation>Wartezeit darauf</translation>
    </message>
</context>
<context>
    <name>OwnEngine</name>
    <message>
        <source>Runs are not kept, and cannot be gone on with after this program: %1</source>
        <translation>Läufe werden nicht behalten und lassen sich nach diesem Programm nicht fortsetzen: %1</translation>
    </message>
    <message>
        <source>Runs go on in the background, in %1. Start Starloom there to have them here.</source>
        <translation>Läufe gehen im Hintergrund weiter, in %1. Starten Sie Starloom dort, um sie hier zu haben.</translation>
    </message>
    <message>
        <source>Runs go on in the background. %1</source>
        <translation>Läufe gehen im Hintergrund weiter. %1</translation>
    </message>
</context>
<context>
    <name>OwnRulesDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Start with rules</source>
        <translation>Mit Regeln starten</translation>
    </message>
    <message>
        <source>Start without rules</source>
        <translation>Ohne Regeln starten</translation>
    </message>
    <message>
        <source>Start “%1”</source>
        <translation>„%1“ starten</translation>
    </message>
    <message>
        <source>This plan declares %1: edits to be made as tasks end. An agent makes them in a run started with it.</source>
        <translation>Dieser Plan enthält %1: Änderungen, wenn Aufgaben enden. Ein Agent nimmt sie in einem Lauf vor, der mit ihm gestartet wird.</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>PalettePane</name>
    <message numerus="yes">
        <source>%n template(s) could not be read.</source>
        <translation>
            <numerusform>%n Vorlage war nicht zu lesen.</numerusform>
            <numerusform>%n Vorlagen waren nicht zu lesen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>Delete template</source>
        <translation>Vorlage löschen</translation>
    </message>
    <message>
        <source>Find a template</source>
        <translation>Vorlage suchen</translation>
    </message>
    <message>
        <source>Keep %1 as a template</source>
        <translation>%1 als Vorlage aufbewahren</translation>
    </message>
    <message>
        <source>Keep the selected task as a template</source>
        <translation>Die ausgewählte Aufgabe als Vorlage aufbewahren</translation>
    </message>
    <message>
        <source>Kinds of tasks</source>
        <translation>Arten von Aufgaben</translation>
    </message>
    <message>
        <source>My templates</source>
        <translation>Eigene Vorlagen</translation>
    </message>
    <message>
        <source>No template is called that.</source>
        <translation>Keine Vorlage heißt so.</translation>
    </message>
    <message>
        <source>Nothing was added</source>
        <translation>Nichts wurde hinzugefügt</translation>
    </message>
    <message>
        <source>Open a plan or a run first.</source>
        <translation>Erst einen Plan oder einen Lauf öffnen.</translation>
    </message>
    <message>
        <source>Open a plan or a run to add tasks to it.</source>
        <translation>Einen Plan oder einen Lauf öffnen, um Aufgaben hinzuzufügen.</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>Palette</translation>
    </message>
    <message>
        <source>Return adds a task; it can also be dragged onto the graph</source>
        <translation>Eingabe fügt eine Aufgabe hinzu; sie lässt sich auch auf den Graphen ziehen</translation>
    </message>
    <message>
        <source>Return adds it %1.</source>
        <translation>Eingabetaste: %1</translation>
    </message>
    <message>
        <source>Select one task to keep it as a template.</source>
        <translation>Eine Aufgabe auswählen, um sie als Vorlage aufzubewahren.</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>The template was not deleted</source>
        <translation>Die Vorlage wurde nicht gelöscht</translation>
    </message>
    <message>
        <source>The template was not kept</source>
        <translation>Die Vorlage wurde nicht aufbewahrt</translation>
    </message>
    <message>
        <source>without dependencies</source>
        <translation>ohne Abhängigkeiten</translation>
    </message>
</context>
<context>
    <name>PaneDrops</name>
    <message>
        <source>%1 moves back into the main window. Esc: it stays.</source>
        <translation>%1 kommt zurück ins Hauptfenster. Esc: bleibt dort.</translation>
    </message>
    <message>
        <source>%1 moves to a window of its own. Esc: it stays.</source>
        <translation>%1 kommt in ein eigenes Fenster. Esc: bleibt hier.</translation>
    </message>
    <message>
        <source>%1 moves to these tabs. Esc: it stays.</source>
        <translation>%1 kommt zu diesen Reitern. Esc: bleibt dort.</translation>
    </message>
    <message>
        <source>%1 stays where it is.</source>
        <translation>%1 bleibt am Platz.</translation>
    </message>
</context>
<context>
    <name>PaneSearch</name>
    <message numerus="yes">
        <source>It is in the task&apos;s file, %n line(s) above these, which is too far to be shown.</source>
        <translation>
            <numerusform>Es steht in der Datei der Aufgabe, %n Zeile über diesen; das ist zu weit, um gezeigt zu werden.</numerusform>
            <numerusform>Es steht in der Datei der Aufgabe, %n Zeilen über diesen; das ist zu weit, um gezeigt zu werden.</numerusform>
        </translation>
    </message>
    <message>
        <source>Search earlier lines</source>
        <translation>Frühere Zeilen durchsuchen</translation>
    </message>
    <message>
        <source>Stop searching</source>
        <translation>Suche beenden</translation>
    </message>
</context>
<context>
    <name>Panels</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>Panes</name>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Raster</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>Gliederung</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>Palette</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Queue &amp; limits</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>Wartet auf Sie</translation>
    </message>
    <message>
        <source>YAML</source>
        <translation>YAML</translation>
    </message>
</context>
<context>
    <name>ParentsSection</name>
    <message numerus="yes">
        <source>%n more parent(s)</source>
        <translation>
            <numerusform>%n weiterer Vorgänger</numerusform>
            <numerusform>%n weitere Vorgänger</numerusform>
        </translation>
    </message>
    <message>
        <source>From its parents</source>
        <translation>Von den Vorgängern</translation>
    </message>
    <message>
        <source>It has no parents: it starts with the run.</source>
        <translation>Sie hat keine Vorgänger: Sie startet mit dem Lauf.</translation>
    </message>
</context>
<context>
    <name>Past</name>
    <message>
        <source>Go back to live first.</source>
        <translation>Gehen Sie erst zurück zur Gegenwart.</translation>
    </message>
    <message>
        <source>Reopen it first (Shift+F8).</source>
        <translation>Öffnen Sie ihn zuerst wieder (Umschalt+F8).</translation>
    </message>
    <message>
        <source>Save its graph as a plan to run it again.</source>
        <translation>Speichern Sie seinen Graphen als Plan, um ihn noch einmal laufen zu lassen.</translation>
    </message>
    <message>
        <source>The past is shown.</source>
        <translation>Die Vergangenheit wird gezeigt.</translation>
    </message>
    <message>
        <source>This run is shown from its journal, where nothing of it can be changed.</source>
        <translation>Dieser Lauf wird aus seinem Journal gezeigt, in dem nichts von ihm geändert werden kann.</translation>
    </message>
</context>
<context>
    <name>PastBanner</name>
    <message>
        <source>Back to live</source>
        <translation>Zurück zur Gegenwart</translation>
    </message>
    <message>
        <source>From its journal: %1</source>
        <translation>Aus seinem Journal: %1</translation>
    </message>
    <message>
        <source>Have its tasks retried, rerun and changed again; nothing starts by itself (Shift+F8)</source>
        <translation>Seine Aufgaben wieder wiederholen, erneut ausführen und ändern lassen; von selbst beginnt nichts (Umschalt+F8)</translation>
    </message>
    <message>
        <source>Its program told nothing after %1, and this is how it stood then.</source>
        <translation>Nach %1 meldete sein Programm nichts mehr, und so stand es da.</translation>
    </message>
    <message>
        <source>Nothing can be changed any more. The run has ended: %1.</source>
        <translation>Nichts lässt sich mehr ändern. Der Lauf ist beendet: %1.</translation>
    </message>
    <message>
        <source>Nothing can be changed from here.</source>
        <translation>Von hier aus lässt sich nichts ändern.</translation>
    </message>
    <message>
        <source>Nothing can be changed from here. The run goes on meanwhile.</source>
        <translation>Von hier aus lässt sich nichts ändern. Der Lauf geht inzwischen weiter.</translation>
    </message>
    <message>
        <source>Nothing can be changed from here. The run has ended.</source>
        <translation>Von hier aus kann nichts geändert werden. Der Lauf ist zu Ende.</translation>
    </message>
    <message>
        <source>Reopen</source>
        <translation>Wieder öffnen</translation>
    </message>
    <message>
        <source>Show the run as it is now (Alt+End)</source>
        <translation>Den Lauf zeigen, wie er jetzt ist (Alt+Ende)</translation>
    </message>
    <message>
        <source>The past: %1</source>
        <translation>Die Vergangenheit: %1</translation>
    </message>
    <message>
        <source>The run has ended: %1.</source>
        <translation>Der Lauf ist beendet: %1.</translation>
    </message>
</context>
<context>
    <name>PathSection</name>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>Kritischer Pfad</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
</context>
<context>
    <name>PeopleHere</name>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1 since %2</source>
        <translation>%1 seit %2</translation>
    </message>
    <message>
        <source>%1, last: %2 at %3</source>
        <translation>%1, zuletzt: %2 um %3</translation>
    </message>
    <message numerus="yes">
        <source>%n here</source>
        <translation>
            <numerusform>%n hier</numerusform>
            <numerusform>%n hier</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Perspectives</name>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>Fehlschläge</translation>
    </message>
    <message>
        <source>Operate</source>
        <translation>Bedienen</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
</context>
<context>
    <name>Pin</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Any device</source>
        <translation>Alle Geräte</translation>
    </message>
    <message>
        <source>wherever their fields allow</source>
        <translation>wo immer ihre Felder es erlauben</translation>
    </message>
</context>
<context>
    <name>PinDialog</name>
    <message>
        <source>%1 are to run on this device only:</source>
        <translation>%1 sollen nur auf diesem Gerät laufen:</translation>
    </message>
    <message>
        <source>%1 is to run on this device only:</source>
        <translation>%1 soll nur auf diesem Gerät laufen:</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>No device is chosen</source>
        <translation>Kein Gerät ist gewählt</translation>
    </message>
    <message>
        <source>Nothing is changed yet</source>
        <translation>Noch ist nichts geändert</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Festlegen</translation>
    </message>
    <message>
        <source>Pin to device</source>
        <translation>Auf Gerät festlegen</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>optional; events and reports tell it</source>
        <translation>freiwillig; Ereignisse und Berichte nennen ihn</translation>
    </message>
</context>
<context>
    <name>PinDrag</name>
    <message>
        <source>Run %1 on %2 only</source>
        <translation>%1 nur auf %2 ausführen</translation>
    </message>
</context>
<context>
    <name>PlanActions</name>
    <message numerus="yes">
        <source>%n task(s) could be given to them, and would count as done without having run.</source>
        <translation>
            <numerusform>%n Aufgabe könnte an sie gehen und gälte als erledigt, ohne gelaufen zu sein.</numerusform>
            <numerusform>%n Aufgaben könnten an sie gehen und gälten als erledigt, ohne gelaufen zu sein.</numerusform>
        </translation>
    </message>
    <message>
        <source>Apply the edits of “%1”</source>
        <translation>Die Änderungen von „%1“ anwenden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Drain or remove these devices, or pin the tasks to others, to have everything run.</source>
        <translation>Lassen Sie diese Geräte leerlaufen, entfernen Sie sie, oder legen Sie die Aufgaben auf andere fest, damit alles ausgeführt wird.</translation>
    </message>
    <message>
        <source>Go on anyway</source>
        <translation>Trotzdem fortsetzen</translation>
    </message>
    <message>
        <source>Open it first.</source>
        <translation>Erst öffnen.</translation>
    </message>
    <message>
        <source>Start anyway</source>
        <translation>Trotzdem starten</translation>
    </message>
    <message>
        <source>Start on simulated devices, too?</source>
        <translation>Auch auf simulierten Geräten starten?</translation>
    </message>
    <message>
        <source>The edits of “%1” were not applied to its plan</source>
        <translation>Die Änderungen von „%1“ wurden nicht auf den Plan angewandt</translation>
    </message>
    <message>
        <source>The plan has changed meanwhile; apply them once more.</source>
        <translation>Der Plan hat sich inzwischen geändert; bitte noch einmal anwenden.</translation>
    </message>
    <message>
        <source>The plan says the same already.</source>
        <translation>Der Plan sagt schon dasselbe.</translation>
    </message>
    <message>
        <source>The run&apos;s graph was not edited.</source>
        <translation>Der Graph des Laufs wurde nicht geändert.</translation>
    </message>
    <message>
        <source>The run&apos;s plan is not open.</source>
        <translation>Der Plan des Laufs ist nicht offen.</translation>
    </message>
    <message>
        <source>There is no run.</source>
        <translation>Es gibt keinen Lauf.</translation>
    </message>
    <message>
        <source>These devices of the fleet are simulated and only act as if they ran a task: %1.</source>
        <translation>Diese Geräte sind simuliert und tun nur so, als führten sie Aufgaben aus: %1.</translation>
    </message>
    <message>
        <source>This run was not started from a plan that is open.</source>
        <translation>Dieser Lauf wurde nicht aus einem offenen Plan gestartet.</translation>
    </message>
</context>
<context>
    <name>PlanComparison</name>
    <message>
        <source>%1, as it was started</source>
        <translation>%1, wie er gestartet wurde</translation>
    </message>
    <message>
        <source>Compare with plan</source>
        <translation>Mit Plan vergleichen</translation>
    </message>
    <message>
        <source>Compare with run…</source>
        <translation>Mit Lauf vergleichen …</translation>
    </message>
    <message>
        <source>No run of this plan is open.</source>
        <translation>Kein Lauf dieses Plans ist offen.</translation>
    </message>
    <message>
        <source>Nothing is open.</source>
        <translation>Nichts ist offen.</translation>
    </message>
    <message>
        <source>Open it first.</source>
        <translation>Erst öffnen.</translation>
    </message>
    <message>
        <source>The run&apos;s plan is not open.</source>
        <translation>Der Plan des Laufs ist nicht offen.</translation>
    </message>
    <message>
        <source>This run was not started from a plan that is open.</source>
        <translation>Dieser Lauf wurde nicht aus einem offenen Plan gestartet.</translation>
    </message>
</context>
<context>
    <name>PlanDifferencePlurals</name>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>%n geändert</numerusform>
            <numerusform>%n geändert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n only in the plan</source>
        <translation>
            <numerusform>%n nur im Plan</numerusform>
            <numerusform>%n nur im Plan</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n only in the run</source>
        <translation>
            <numerusform>%n nur im Lauf</numerusform>
            <numerusform>%n nur im Lauf</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlanEditor</name>
    <message>
        <source>Change the plan</source>
        <translation>Den Plan ändern</translation>
    </message>
    <message>
        <source>Place nodes</source>
        <translation>Knoten platzieren</translation>
    </message>
    <message>
        <source>Redo “%1”</source>
        <translation>„%1“ wiederherstellen</translation>
    </message>
    <message>
        <source>Start it, or create a run of it.</source>
        <translation>Starten Sie ihn, oder legen Sie einen Lauf an.</translation>
    </message>
    <message>
        <source>That would change nothing.</source>
        <translation>Das würde nichts ändern.</translation>
    </message>
    <message>
        <source>This is a plan, not a run.</source>
        <translation>Das ist ein Plan, kein Lauf.</translation>
    </message>
    <message>
        <source>Undo “%1”</source>
        <translation>„%1“ rückgängig machen</translation>
    </message>
</context>
<context>
    <name>PlanLosses</name>
    <message>
        <source>%1 of the plan</source>
        <translation>%1 des Plans</translation>
    </message>
</context>
<context>
    <name>PlanProperties</name>
    <message>
        <source>%1 stands for all other exit codes.</source>
        <translation>%1 steht für alle anderen Exit-Codes.</translation>
    </message>
    <message>
        <source>A quotation mark is not closed.</source>
        <translation>Ein Anführungszeichen ist nicht geschlossen.</translation>
    </message>
    <message>
        <source>A task id; * stands for any characters.</source>
        <translation>Die ID einer Aufgabe; * steht für beliebige Zeichen.</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add a dependency</source>
        <translation>Abhängigkeit hinzufügen</translation>
    </message>
    <message>
        <source>Add a task</source>
        <translation>Aufgabe hinzufügen</translation>
    </message>
    <message>
        <source>Add edit</source>
        <translation>Änderung hinzufügen</translation>
    </message>
    <message>
        <source>Agent %1</source>
        <translation>Agent %1</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Agents have</source>
        <translation>Agenten haben</translation>
    </message>
    <message>
        <source>Another device serves as well</source>
        <translation>Ein anderes Gerät genügt auch</translation>
    </message>
    <message>
        <source>Applies</source>
        <translation>Gilt</translation>
    </message>
    <message>
        <source>Asked when</source>
        <translation>Gefragt, wenn</translation>
    </message>
    <message>
        <source>At once</source>
        <translation>Zugleich</translation>
    </message>
    <message>
        <source>Backoff</source>
        <translation>Backoff</translation>
    </message>
    <message>
        <source>Change a dependency</source>
        <translation>Abhängigkeit ändern</translation>
    </message>
    <message>
        <source>Change a task</source>
        <translation>Aufgabe ändern</translation>
    </message>
    <message>
        <source>Child</source>
        <translation>Kind</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>Delay</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>Down by</source>
        <translation>Nach unten um</translation>
    </message>
    <message>
        <source>Edits</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Exit code</source>
        <translation>Exit-Code</translation>
    </message>
    <message>
        <source>Fails first</source>
        <translation>Erst Fehler</translation>
    </message>
    <message>
        <source>Files fetched</source>
        <translation>Geholte Dateien</translation>
    </message>
    <message>
        <source>Files sent</source>
        <translation>Gesandte Dateien</translation>
    </message>
    <message>
        <source>For each of</source>
        <translation>Für jedes aus</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Gate waits for</source>
        <translation>Freigabe wartet</translation>
    </message>
    <message>
        <source>How a device is chosen for a task that is ready.</source>
        <translation>Wie ein Gerät für eine Aufgabe gewählt wird, die bereit ist.</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Kennung</translation>
    </message>
    <message>
        <source>If a task has started</source>
        <translation>Ist eine Aufgabe gestartet</translation>
    </message>
    <message>
        <source>It names no device: its tasks run on those of the fleet.</source>
        <translation>Er nennt kein Gerät: Seine Aufgaben laufen auf denen der Flotte.</translation>
    </message>
    <message>
        <source>Its value</source>
        <translation>Sein Wert</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Kind of edit</source>
        <translation>Art der Änderung</translation>
    </message>
    <message>
        <source>Kind, or a condition</source>
        <translation>Art, oder eine Bedingung</translation>
    </message>
    <message>
        <source>Leads to</source>
        <translation>Führt zu</translation>
    </message>
    <message>
        <source>Limit group</source>
        <translation>Limitgruppe</translation>
    </message>
    <message>
        <source>Longest delay</source>
        <translation>Längste Pause</translation>
    </message>
    <message>
        <source>May change</source>
        <translation>Darf ändern</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>No notes yet. A note stands beside the tasks on the canvas.</source>
        <translation>Noch keine Notizen. Eine Notiz steht neben den Aufgaben auf der Zeichenfläche.</translation>
    </message>
    <message>
        <source>No rules yet. A rule makes edits as tasks end, once its run has an agent for it.</source>
        <translation>Noch keine Regeln. Eine Regel ändert den Lauf, wenn Aufgaben enden, sobald er einen Agenten dafür hat.</translation>
    </message>
    <message>
        <source>No terms yet. They hold for an agent of that name, once one is attached to a run.</source>
        <translation>Noch keine Bedingungen. Sie gelten für einen Agenten dieses Namens, sobald einer zu einem Lauf hinzugefügt ist.</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Note %1</source>
        <translation>Notiz %1</translation>
    </message>
    <message>
        <source>Of these</source>
        <translation>Davon</translation>
    </message>
    <message>
        <source>Overdue after</source>
        <translation>Überfällig nach</translation>
    </message>
    <message>
        <source>Parent</source>
        <translation>Elter</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>Platzierung</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove a dependency</source>
        <translation>Abhängigkeit entfernen</translation>
    </message>
    <message>
        <source>Remove a task</source>
        <translation>Aufgabe entfernen</translation>
    </message>
    <message>
        <source>Remove this edit</source>
        <translation>Diese Änderung entfernen</translation>
    </message>
    <message>
        <source>Right by</source>
        <translation>Nach rechts um</translation>
    </message>
    <message>
        <source>Rule %1</source>
        <translation>Regel %1</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>Simuliert</translation>
    </message>
    <message>
        <source>Starts when</source>
        <translation>Beginnt, wenn</translation>
    </message>
    <message>
        <source>Stays with</source>
        <translation>Bleibt bei</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Tasks at once</source>
        <translation>Aufgaben zugleich</translation>
    </message>
    <message>
        <source>Tasks or limit groups that it may change</source>
        <translation>Aufgaben oder Limitgruppen, die er ändern darf</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>The name “%1” is there twice.</source>
        <translation>Den Namen „%1“ gibt es zweimal.</translation>
    </message>
    <message>
        <source>The plan only says where a secret is kept.</source>
        <translation>Der Plan sagt nur, wo ein Geheimnis liegt.</translation>
    </message>
    <message>
        <source>The value “%1” has no name.</source>
        <translation>Der Wert „%1“ hat keinen Namen.</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>Dann</translation>
    </message>
    <message>
        <source>This kind is not installed here; it stays as it is.</source>
        <translation>Diese Art ist hier nicht installiert; das Gerät bleibt, wie es ist.</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>Wartet auf</translation>
    </message>
    <message>
        <source>What programs keep in the plan; Starloom itself does nothing with it.</source>
        <translation>Was Programme im Plan ablegen; Starloom selbst tut nichts damit.</translation>
    </message>
    <message>
        <source>What waits while agents are asked.</source>
        <translation>Was wartet, während Agenten gefragt werden.</translation>
    </message>
    <message>
        <source>When a task</source>
        <translation>Wenn eine Aufgabe</translation>
    </message>
    <message>
        <source>Where the fence is “%1”: what becomes of an edit of a task that has.</source>
        <translation>Wenn „%1“ gilt: was aus der Änderung einer solchen Aufgabe wird.</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>a warning</source>
        <translation>eine Warnung</translation>
    </message>
    <message>
        <source>all dependencies say yes</source>
        <translation>alle Abhängigkeiten ja sagen</translation>
    </message>
    <message>
        <source>always</source>
        <translation>immer</translation>
    </message>
    <message>
        <source>always as long</source>
        <translation>immer gleich lang</translation>
    </message>
    <message>
        <source>an error</source>
        <translation>ein Fehler</translation>
    </message>
    <message>
        <source>and if</source>
        <translation>und falls</translation>
    </message>
    <message>
        <source>as set: 10m</source>
        <translation>wie gesetzt</translation>
    </message>
    <message>
        <source>as the exit code says</source>
        <translation>wie der Exit-Code sagt</translation>
    </message>
    <message>
        <source>as the fleet says</source>
        <translation>wie die Flotte sagt</translation>
    </message>
    <message>
        <source>as usual: %1</source>
        <translation>wie üblich: %1</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>gelungen</translation>
    </message>
    <message>
        <source>completed or failed</source>
        <translation>gelungen oder gescheitert</translation>
    </message>
    <message>
        <source>end the run</source>
        <translation>den Lauf beenden</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>go on</source>
        <translation>weitergehen</translation>
    </message>
    <message>
        <source>has ended as</source>
        <translation>geendet ist als</translation>
    </message>
    <message>
        <source>in all; 1: no retry</source>
        <translation>insgesamt; 1: keine Wiederholung</translation>
    </message>
    <message>
        <source>it completes</source>
        <translation>sie gelingt</translation>
    </message>
    <message>
        <source>it fails</source>
        <translation>sie scheitert</translation>
    </message>
    <message>
        <source>it goes on if it can</source>
        <translation>geht sie weiter, wenn sie kann</translation>
    </message>
    <message>
        <source>it runs again</source>
        <translation>läuft sie noch einmal</translation>
    </message>
    <message>
        <source>it waits for a person</source>
        <translation>sie wartet auf einen Menschen</translation>
    </message>
    <message>
        <source>items at most</source>
        <translation>Elemente höchstens</translation>
    </message>
    <message>
        <source>json, or a JSON Schema</source>
        <translation>json oder ein JSON-Schema</translation>
    </message>
    <message>
        <source>longer each time</source>
        <translation>jedes Mal länger</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>kein Limit</translation>
    </message>
    <message>
        <source>no task</source>
        <translation>keiner Aufgabe</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>nicht gesetzt</translation>
    </message>
    <message>
        <source>not set: %1</source>
        <translation>nicht gesetzt: %1</translation>
    </message>
    <message>
        <source>not set: everything, or what its rules say</source>
        <translation>nicht gesetzt: alles oder was seine Regeln sagen</translation>
    </message>
    <message>
        <source>on a condition</source>
        <translation>bei einer Bedingung</translation>
    </message>
    <message>
        <source>on failure</source>
        <translation>bei Scheitern</translation>
    </message>
    <message>
        <source>on success</source>
        <translation>bei Erfolg</translation>
    </message>
    <message>
        <source>one dependency says yes</source>
        <translation>eine Abhängigkeit ja sagt</translation>
    </message>
    <message>
        <source>report</source>
        <translation>bericht</translation>
    </message>
    <message>
        <source>skip it</source>
        <translation>sie überspringen</translation>
    </message>
    <message>
        <source>tasks of a run</source>
        <translation>Aufgaben eines Laufs</translation>
    </message>
    <message>
        <source>the end of the run</source>
        <translation>das Ende des Laufs</translation>
    </message>
    <message>
        <source>times at most</source>
        <translation>Mal höchstens</translation>
    </message>
    <message>
        <source>times its estimate; none: never</source>
        <translation>mal die Schätzung; none: nie</translation>
    </message>
    <message>
        <source>to answer</source>
        <translation>Zeit für eine Antwort</translation>
    </message>
    <message>
        <source>twice as long each time</source>
        <translation>jedes Mal doppelt so lang</translation>
    </message>
    <message>
        <source>warning, error, critical</source>
        <translation>warning, error, critical</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
</context>
<context>
    <name>PlanPropertiesDialog</name>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>Vorgaben</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Execution</source>
        <translation>Ausführung</translation>
    </message>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Nothing is changed yet</source>
        <translation>Noch ist nichts geändert</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Plan properties</source>
        <translation>Planeigenschaften</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>Something is wrong under “%1”</source>
        <translation>Unter „%1“ stimmt etwas nicht</translation>
    </message>
</context>
<context>
    <name>Planter</name>
    <message>
        <source>%1 was not added</source>
        <translation>%1 wurde nicht hinzugefügt</translation>
    </message>
    <message>
        <source>Open a plan first.</source>
        <translation>Erst einen Plan öffnen.</translation>
    </message>
    <message>
        <source>There is no graph.</source>
        <translation>Es gibt keinen Graphen.</translation>
    </message>
</context>
<context>
    <name>PlotSaver</name>
    <message>
        <source>%1 rows are in sight, and no more than %2 are copied. Export them, or show less time.</source>
        <translation>%1 Zeilen sind zu sehen, mehr als %2 werden nicht kopiert. Exportieren Sie sie, oder zeigen Sie weniger Zeit.</translation>
    </message>
    <message>
        <source>Copy what is in sight as CSV</source>
        <translation>Was zu sehen ist, als CSV kopieren</translation>
    </message>
    <message>
        <source>Export as CSV…</source>
        <translation>Als CSV exportieren …</translation>
    </message>
    <message>
        <source>Export as picture…</source>
        <translation>Als Bild exportieren …</translation>
    </message>
    <message>
        <source>Export the curves</source>
        <translation>Kurven exportieren</translation>
    </message>
    <message>
        <source>Export the plots</source>
        <translation>Diagramme exportieren</translation>
    </message>
    <message>
        <source>No curve is switched on.</source>
        <translation>Keine Kurve ist eingeschaltet.</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>Bild (*.png)</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Tabelle (*.csv)</translation>
    </message>
</context>
<context>
    <name>Plots</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 more with fewer attempts</source>
        <translation>%1 weitere mit weniger Versuchen</translation>
    </message>
    <message>
        <source>%1 · estimated %2</source>
        <translation>%1 · geschätzt %2</translation>
    </message>
    <message>
        <source>%1 · no estimate</source>
        <translation>%1 · ohne Schätzung</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: half of %2 attempts took %3 to %4, the middle one %5</source>
        <translation>%1: die Hälfte von %2 Versuchen dauerte %3 bis %4, der mittlere %5</translation>
    </message>
    <message>
        <source>%1; estimated were %2.</source>
        <translation>%1; geschätzt waren %2.</translation>
    </message>
    <message>
        <source>%1; nothing was estimated.</source>
        <translation>%1; geschätzt war nichts.</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>Fehlschläge</translation>
    </message>
    <message>
        <source>Failures and retries</source>
        <translation>Fehlschläge und Wiederholungen</translation>
    </message>
    <message>
        <source>Last start</source>
        <translation>Letzter Start</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Limit</translation>
    </message>
    <message>
        <source>No attempt has completed yet.</source>
        <translation>Noch ist kein Versuch abgeschlossen.</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Ready and waiting</source>
        <translation>Bereit und wartend</translation>
    </message>
    <message>
        <source>Ready to start</source>
        <translation>Wartezeit bis Start</translation>
    </message>
    <message>
        <source>Retries</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Laufend</translation>
    </message>
    <message>
        <source>Running against limit</source>
        <translation>Laufend und Limit</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Use of devices</source>
        <translation>Auslastung der Geräte</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartend</translation>
    </message>
    <message>
        <source>attempts per minute, over 60 s</source>
        <translation>Versuche je Minute, über 60 s</translation>
    </message>
    <message>
        <source>attempts so far</source>
        <translation>Versuche bisher</translation>
    </message>
    <message>
        <source>away</source>
        <translation>nicht da</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>kein Limit</translation>
    </message>
    <message>
        <source>not heard</source>
        <translation>nicht gehört</translation>
    </message>
    <message>
        <source>not kept</source>
        <translation>nicht aufbewahrt</translation>
    </message>
    <message>
        <source>seconds a completed attempt took; box: half of them, line: nine of ten, ◇ estimated</source>
        <translation>Sekunden je abgeschlossenem Versuch; Kasten: die Hälfte, Linie: neun von zehn, ◇ geschätzt</translation>
    </message>
    <message>
        <source>seconds, of the last start</source>
        <translation>Sekunden, beim letzten Start</translation>
    </message>
    <message>
        <source>slots</source>
        <translation>Plätze</translation>
    </message>
    <message>
        <source>tasks</source>
        <translation>Aufgaben</translation>
    </message>
</context>
<context>
    <name>PlotsCorner</name>
    <message>
        <source>Copy and export</source>
        <translation>Kopieren und exportieren</translation>
    </message>
    <message>
        <source>Copy and export (Menu, Shift+F10)</source>
        <translation>Kopieren und exportieren (Menü, Umschalt+F10)</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Follow the present</source>
        <translation>Der Gegenwart folgen</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>Größer</translation>
    </message>
    <message>
        <source>Linked</source>
        <translation>Gekoppelt</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Show less time</source>
        <translation>Weniger Zeit zeigen</translation>
    </message>
    <message>
        <source>Show more time</source>
        <translation>Mehr Zeit zeigen</translation>
    </message>
    <message>
        <source>Show the same time as the Timeline</source>
        <translation>Dieselbe Zeit wie die Zeitachse zeigen</translation>
    </message>
    <message>
        <source>Show the whole run</source>
        <translation>Den ganzen Lauf zeigen</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>Kleiner</translation>
    </message>
    <message>
        <source>The run has ended. Show all of it</source>
        <translation>Der Lauf ist beendet. Ganz zeigen</translation>
    </message>
</context>
<context>
    <name>PlotsPane</name>
    <message>
        <source>By device</source>
        <translation>Nach Gerät</translation>
    </message>
    <message>
        <source>By group</source>
        <translation>Nach Gruppe</translation>
    </message>
    <message>
        <source>Copy and export</source>
        <translation>Kopieren und exportieren</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Durations</source>
        <translation>Dauern</translation>
    </message>
    <message>
        <source>Durations by device</source>
        <translation>Dauern nach Gerät</translation>
    </message>
    <message>
        <source>Durations by group</source>
        <translation>Dauern nach Gruppe</translation>
    </message>
    <message>
        <source>Nothing has run yet.</source>
        <translation>Noch ist nichts gelaufen.</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Start the run; its curves will be drawn here</source>
        <translation>Den Lauf starten; hier werden seine Kurven gezeichnet</translation>
    </message>
    <message>
        <source>What completed attempts took, beside what was estimated</source>
        <translation>Was abgeschlossene Versuche dauerten, neben dem, was geschätzt war</translation>
    </message>
</context>
<context>
    <name>Plurals</name>
    <message numerus="yes">
        <source>%n attempt(s)</source>
        <translation>
            <numerusform>%n Versuch</numerusform>
            <numerusform>%n Versuche</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n Änderung</numerusform>
            <numerusform>%n Änderungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edit(s)</source>
        <translation>
            <numerusform>%n Änderung</numerusform>
            <numerusform>%n Änderungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n Ereignis</numerusform>
            <numerusform>%n Ereignisse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failure(s)</source>
        <translation>
            <numerusform>%n Fehlschlag</numerusform>
            <numerusform>%n Fehlschlägen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n parent(s)</source>
        <translation>
            <numerusform>%n Vorgänger</numerusform>
            <numerusform>%n Vorgänger</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s)</source>
        <translation>
            <numerusform>%n Vorschlag</numerusform>
            <numerusform>%n Vorschläge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rule(s)</source>
        <translation>
            <numerusform>%n Regel</numerusform>
            <numerusform>%n Regeln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slot(s)</source>
        <translation>
            <numerusform>%n Platz</numerusform>
            <numerusform>%n Plätze</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s)</source>
        <translation>
            <numerusform>%n Aufgabe</numerusform>
            <numerusform>%n Aufgaben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) may still run</source>
        <translation>
            <numerusform>%n Aufgabe läuft vielleicht noch</numerusform>
            <numerusform>%n Aufgaben laufen vielleicht noch</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation>
            <numerusform>%n Wert</numerusform>
            <numerusform>%n Werte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n Warnung</numerusform>
            <numerusform>%n Warnungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n Worker</numerusform>
            <numerusform>%n Worker</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProblemPlurals</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n Problem</numerusform>
            <numerusform>%n Probleme</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n Problem</numerusform>
            <numerusform>%n Probleme</numerusform>
        </translation>
    </message>
    <message>
        <source>Show what is wrong</source>
        <translation>Zeigen, was nicht stimmt</translation>
    </message>
</context>
<context>
    <name>ProblemsDialog</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Text kopieren</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Return</source>
        <translation>Eingabe</translation>
    </message>
</context>
<context>
    <name>QuestionPage</name>
    <message>
        <source>%1 · attempt %2 · %3</source>
        <translation>%1 · Versuch %2 · %3</translation>
    </message>
    <message numerus="yes">
        <source>Answer all %n alike</source>
        <translation>
            <numerusform>Alle %n gleichartige beantworten</numerusform>
            <numerusform>Alle %n gleichartigen beantworten</numerusform>
        </translation>
    </message>
    <message>
        <source>Let it do this</source>
        <translation>Dies erlauben</translation>
    </message>
    <message>
        <source>Note with the answer</source>
        <translation>Notiz zur Antwort</translation>
    </message>
    <message>
        <source>Note, which whoever asks reads (may stay empty)</source>
        <translation>Notiz, die der Fragende liest (darf leer bleiben)</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Scroll to its end first: it can be allowed once all was in sight.</source>
        <translation>Blättern Sie erst bis zum Ende: Erlauben lässt es sich, wenn alles zu sehen war.</translation>
    </message>
    <message>
        <source>Send answer</source>
        <translation>Antwort senden</translation>
    </message>
    <message>
        <source>Show task</source>
        <translation>Aufgabe zeigen</translation>
    </message>
    <message>
        <source>Tell it no; what you wrote is what it reads</source>
        <translation>Nein sagen; gelesen wird, was Sie geschrieben haben</translation>
    </message>
    <message>
        <source>The answer, or why you reject it</source>
        <translation>Die Antwort, oder warum Sie ablehnen</translation>
    </message>
    <message>
        <source>The same answer and note for each of them</source>
        <translation>Dieselbe Antwort und Notiz für jede davon</translation>
    </message>
</context>
<context>
    <name>Queue</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <translation>%1 = %2</translation>
    </message>
    <message>
        <source>%1 removed</source>
        <translation>%1 entfernt</translation>
    </message>
    <message>
        <source>%1 submitted</source>
        <translation>%1 gesamt</translation>
    </message>
    <message>
        <source>%1 to take tasks</source>
        <translation>%1, um Aufgaben zu nehmen</translation>
    </message>
    <message>
        <source>%1, not started</source>
        <translation>%1, nicht gestartet</translation>
    </message>
    <message>
        <source>Base</source>
        <translation>Grundwert</translation>
    </message>
    <message>
        <source>Effective</source>
        <translation>Wirksam</translation>
    </message>
    <message>
        <source>Nothing ages while the run does not go on.</source>
        <translation>Nichts altert, solange der Lauf nicht weitergeht.</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Stelle</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Waited</source>
        <translation>Gewartet</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>Wartet auf</translation>
    </message>
    <message>
        <source>a fitting device</source>
        <translation>ein passendes Gerät</translation>
    </message>
    <message>
        <source>a free slot</source>
        <translation>freien Platz</translation>
    </message>
    <message>
        <source>its turn</source>
        <translation>die Reihe</translation>
    </message>
    <message>
        <source>limit group %1</source>
        <translation>Limitgruppe %1</translation>
    </message>
    <message>
        <source>limit of all runs</source>
        <translation>Limit aller Läufe</translation>
    </message>
    <message>
        <source>limit of the run</source>
        <translation>Limit des Laufs</translation>
    </message>
    <message>
        <source>slot of %1</source>
        <translation>Platz von %1</translation>
    </message>
    <message>
        <source>the end of a reservation</source>
        <translation>das Ende einer Reservierung</translation>
    </message>
    <message>
        <source>the paused run</source>
        <translation>den angehaltenen Lauf</translation>
    </message>
    <message>
        <source>the start of the run</source>
        <translation>den Start des Laufs</translation>
    </message>
</context>
<context>
    <name>QueueList</name>
    <message>
        <source>Alt+Up and Alt+Down take a task along, Return leaves it there, Escape puts it back</source>
        <translation>Alt+Hoch und Alt+Herunter nehmen eine Aufgabe mit, Eingabe lässt sie dort, Escape legt sie zurück</translation>
    </message>
    <message>
        <source>Ready queue</source>
        <translation>Warteschlange der bereiten Aufgaben</translation>
    </message>
</context>
<context>
    <name>QueuePane</name>
    <message>
        <source>Counters</source>
        <translation>Zähler</translation>
    </message>
    <message>
        <source>Drag a task up or down to have it start earlier or later (Alt+Up, Alt+Down)</source>
        <translation>Eine Aufgabe nach oben oder unten ziehen, damit sie früher oder später startet (Alt+Hoch, Alt+Herunter)</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>Limits</translation>
    </message>
    <message>
        <source>Limits or scheduler</source>
        <translation>Limits oder Scheduler</translation>
    </message>
    <message>
        <source>Queue and limits</source>
        <translation>Warteschlange und Limits</translation>
    </message>
    <message>
        <source>Ready tasks stand here in the order in which they start.</source>
        <translation>Hier stehen bereite Aufgaben in der Reihenfolge, in der sie starten.</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <source>Show all tasks</source>
        <translation>Alle Aufgaben zeigen</translation>
    </message>
</context>
<context>
    <name>Rail</name>
    <message>
        <source>Left column</source>
        <translation>Linke Spalte</translation>
    </message>
</context>
<context>
    <name>ReasonDialog</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Do it</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Do with a reason</source>
        <translation>Mit Begründung</translation>
    </message>
    <message>
        <source>Events and reports tell it.</source>
        <translation>Ereignisse und Berichte nennen ihn.</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
</context>
<context>
    <name>RecordedRuns</name>
    <message>
        <source>%1 not committed: %2. It takes no more changes.</source>
        <translation>%1 nicht angewendet: %2. Er nimmt keine Änderungen mehr an.</translation>
    </message>
    <message>
        <source>%1 not committed: %2. Reopen it to have them back.</source>
        <translation>%1 nicht angewendet: %2. Öffnen Sie ihn wieder, um sie zurückzubekommen.</translation>
    </message>
    <message>
        <source>Copying “%1” from %2</source>
        <translation>Kopiert „%1“ von %2</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Reading “%1”</source>
        <translation>Liest „%1“</translation>
    </message>
    <message>
        <source>Reading “%1” · %2 events</source>
        <translation>Liest „%1“ · %2 Ereignisse</translation>
    </message>
    <message>
        <source>The staged changes of “%1” are as they were</source>
        <translation>Die gesammelten Änderungen von „%1“ sind, wie sie waren</translation>
    </message>
    <message>
        <source>The staged changes of “%1” are discarded</source>
        <translation>Die gesammelten Änderungen von „%1“ sind verworfen</translation>
    </message>
    <message>
        <source>This run has not begun: its journal is empty.</source>
        <translation>Dieser Lauf hat nicht begonnen: sein Journal ist leer.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>“%1” has ended</source>
        <translation>„%1“ ist beendet</translation>
    </message>
    <message>
        <source>“%1” is shown up to where its journal is damaged</source>
        <translation>„%1“ wird gezeigt, so weit sein Journal unbeschädigt ist</translation>
    </message>
    <message>
        <source>“%1” was not opened</source>
        <translation>„%1“ wurde nicht geöffnet</translation>
    </message>
</context>
<context>
    <name>Reducing</name>
    <message>
        <source>No dependency is redundant.</source>
        <translation>Keine Abhängigkeit ist überflüssig.</translation>
    </message>
    <message>
        <source>Redundant and removed: %1.</source>
        <translation>Überflüssig und entfernt: %1.</translation>
    </message>
    <message numerus="yes">
        <source>Remove %n redundant dependenc(y|ies)</source>
        <translation>
            <numerusform>%n überflüssige Abhängigkeit entfernen</numerusform>
            <numerusform>%n überflüssige Abhängigkeiten entfernen</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>RemoteArchive</name>
    <message>
        <source>The server on %1 is of version %2, which does not send its earlier runs. Start it again with this version.</source>
        <translation>Der Server auf %1 hat Version %2; sie schickt keine früheren Läufe. Mit dieser Version neu starten.</translation>
    </message>
    <message>
        <source>These runs are kept on %1. Here they can only be looked at.</source>
        <translation>Diese Läufe liegen auf %1. Hier lassen sie sich nur ansehen.</translation>
    </message>
</context>
<context>
    <name>RemoteEngine</name>
    <message>
        <source>%1 was made by a program, and cannot be made elsewhere.</source>
        <translation>%1 hat ein Programm gemacht, und anderswo lässt es sich nicht machen.</translation>
    </message>
    <message>
        <source>An agent is attached where the run is, and this one is on %1.</source>
        <translation>Ein Agent wird dort angehängt, wo der Lauf ist, und dieser ist auf „%1“.</translation>
    </message>
    <message>
        <source>Connect anew to steer.</source>
        <translation>Zum Steuern neu verbinden.</translation>
    </message>
    <message>
        <source>Do it again once it is there.</source>
        <translation>Noch einmal, sobald sie wieder da ist.</translation>
    </message>
    <message>
        <source>Open a console without a connection for that.</source>
        <translation>Dafür eine Konsole ohne Verbindung öffnen.</translation>
    </message>
    <message>
        <source>The connection to %1 is lost.</source>
        <translation>Die Verbindung zu „%1“ ist weg.</translation>
    </message>
    <message>
        <source>This window only watches.</source>
        <translation>Dieses Fenster sieht nur zu.</translation>
    </message>
    <message>
        <source>This window shows the engine of a server, which resumes its own runs.</source>
        <translation>Dieses Fenster zeigt die Engine eines Servers, der seine Läufe selbst fortsetzt.</translation>
    </message>
</context>
<context>
    <name>RemovedDevices</name>
    <message>
        <source>%1 was not added again</source>
        <translation>%1 wurde nicht wieder hinzugefügt</translation>
    </message>
    <message>
        <source>%1 was not removed</source>
        <translation>%1 wurde nicht entfernt</translation>
    </message>
    <message>
        <source>%1 was removed from the fleet, and %2, which has no other.</source>
        <translation>%1 wurde aus der Flotte entfernt, und mit ihm %2, das kein anderes hat.</translation>
    </message>
    <message>
        <source>%1 was removed from the fleet.</source>
        <translation>%1 wurde aus der Flotte entfernt.</translation>
    </message>
    <message>
        <source>Add it again</source>
        <translation>Wieder hinzufügen</translation>
    </message>
    <message>
        <source>It is back the next time with the rest of %1; drain it instead, or remove all of that.</source>
        <translation>Beim nächsten Mal ist es mit dem Rest von %1 wieder da; lassen Sie es stattdessen leerlaufen, oder entfernen Sie alles davon.</translation>
    </message>
    <message>
        <source>It is still in %1, and back the next time unless you save the fleet there.</source>
        <translation>Es steht noch in %1 und ist beim nächsten Mal wieder da, außer Sie speichern die Flotte dort.</translation>
    </message>
    <message>
        <source>Remove all of %1</source>
        <translation>%1 ganz entfernen</translation>
    </message>
</context>
<context>
    <name>RemovedRunPlurals</name>
    <message numerus="yes">
        <source>Put %n run(s) into the trash?</source>
        <translation>
            <numerusform>%n Lauf in den Papierkorb legen?</numerusform>
            <numerusform>%n Läufe in den Papierkorb legen?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove %n run(s) for good?</source>
        <translation>
            <numerusform>%n Lauf endgültig entfernen?</numerusform>
            <numerusform>%n Läufe endgültig entfernen?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RenameField</name>
    <message>
        <source>Name of the task</source>
        <translation>Name der Aufgabe</translation>
    </message>
</context>
<context>
    <name>Reopening</name>
    <message>
        <source>It goes on in another program: %1.</source>
        <translation>Er geht in einem anderen Programm weiter: %1.</translation>
    </message>
    <message>
        <source>Only a run that has ended is reopened.</source>
        <translation>Nur ein beendeter Lauf wird wieder geöffnet.</translation>
    </message>
    <message>
        <source>Open it from History to see it.</source>
        <translation>Öffnen Sie ihn aus dem Verlauf, um ihn zu sehen.</translation>
    </message>
    <message>
        <source>This run came from elsewhere. It can be looked at, but not gone on with.</source>
        <translation type="unfinished">Dieser Lauf kam von anderswo. Man kann ihn ansehen, aber nicht mit ihm weitermachen.</translation>
    </message>
</context>
<context>
    <name>Replace</name>
    <message>
        <source>%1 · is tried again</source>
        <translation>%1 · wird erneut versucht</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1, word %2</source>
        <translation>%1, Wort %2</translation>
    </message>
    <message>
        <source>A quotation mark would not be closed.</source>
        <translation>Ein Anführungszeichen bliebe offen.</translation>
    </message>
    <message>
        <source>In “%1”: %2</source>
        <translation>In „%1“: %2</translation>
    </message>
    <message>
        <source>It is not there any more.</source>
        <translation>Es gibt sie nicht mehr.</translation>
    </message>
    <message>
        <source>Looking for this pattern takes too long. Write a simpler one.</source>
        <translation>Die Suche nach diesem Muster dauert zu lange. Schreiben Sie ein einfacheres.</translation>
    </message>
    <message>
        <source>The pattern has no group “%1”.</source>
        <translation>Das Muster hat keine Gruppe „%1“.</translation>
    </message>
    <message>
        <source>This is no pattern: %1, at character %2.</source>
        <translation>Das ist kein Muster: %1, bei Zeichen %2.</translation>
    </message>
    <message>
        <source>What would come of it is too long for a task.</source>
        <translation>Was daraus würde, ist zu lang für eine Aufgabe.</translation>
    </message>
    <message>
        <source>Write at most %1 characters.</source>
        <translation>Schreiben Sie höchstens %1 Zeichen.</translation>
    </message>
    <message>
        <source>“%1” means nothing here. Write \\ for a backslash, \1 for the first group.</source>
        <translation>„%1“ bedeutet hier nichts. Schreiben Sie \\ für einen Rückstrich, \1 für die erste Gruppe.</translation>
    </message>
</context>
<context>
    <name>ReplacementPlurals</name>
    <message numerus="yes">
        <source>%n cannot be changed</source>
        <translation>
            <numerusform>%n lässt sich nicht ändern</numerusform>
            <numerusform>%n lassen sich nicht ändern</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed or cancelled task(s) are changed and tried again</source>
        <translation>
            <numerusform>%n fehlgeschlagene oder abgebrochene Aufgabe wird geändert und erneut versucht</numerusform>
            <numerusform>%n fehlgeschlagene oder abgebrochene Aufgaben werden geändert und erneut versucht</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s)</source>
        <translation>
            <numerusform>%n Stelle</numerusform>
            <numerusform>%n Stellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>None of %n task(s) has this.</source>
        <translation>
            <numerusform>Die %n Aufgabe hat das nicht.</numerusform>
            <numerusform>Keine von %n Aufgaben hat das.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove “%1” from %n task(s)</source>
        <translation>
            <numerusform>„%1“ aus %n Aufgabe entfernen</numerusform>
            <numerusform>„%1“ aus %n Aufgaben entfernen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace in %n task(s)</source>
        <translation>
            <numerusform>In %n Aufgabe ersetzen</numerusform>
            <numerusform>In %n Aufgaben ersetzen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace “%1” by “%2” in %n task(s)</source>
        <translation>
            <numerusform>„%1“ durch „%2“ in %n Aufgabe ersetzen</numerusform>
            <numerusform>„%1“ durch „%2“ in %n Aufgaben ersetzen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n task(s)</source>
        <translation>
            <numerusform>in %n Aufgabe</numerusform>
            <numerusform>in %n Aufgaben</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReservationActions</name>
    <message>
        <source>Change my reservation…</source>
        <translation>Meine Reservierung ändern …</translation>
    </message>
    <message>
        <source>End your reservation instead.</source>
        <translation>Beenden Sie stattdessen Ihre Reservierung.</translation>
    </message>
    <message>
        <source>You have reserved it yourself.</source>
        <translation>Sie haben es selbst reserviert.</translation>
    </message>
</context>
<context>
    <name>Reservations</name>
    <message>
        <source>Break %1&apos;s reservation…</source>
        <translation>Reservierung von %1 aufheben …</translation>
    </message>
    <message>
        <source>Device %1 is reserved by %2 until %3: %4.</source>
        <translation>Gerät %1 ist bis %3 von %2 reserviert: %4.</translation>
    </message>
    <message>
        <source>Reserved by %1 until %2: %3</source>
        <translation>Von %1 bis %2 reserviert: %3</translation>
    </message>
    <message>
        <source>Reserved by you until %1: %2</source>
        <translation>Von Ihnen bis %1 reserviert: %2</translation>
    </message>
    <message>
        <source>The fleet is reserved by %1 until %2: %3.</source>
        <translation>Die Flotte ist bis %2 von %1 reserviert: %3.</translation>
    </message>
    <message>
        <source>The run is reserved by %1 until %2: %3.</source>
        <translation>Der Lauf ist bis %2 von %1 reserviert: %3.</translation>
    </message>
    <message>
        <source>the fleet</source>
        <translation>die Flotte</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>„%1“</translation>
    </message>
</context>
<context>
    <name>ReserveDialog</name>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Change the reservation of %1</source>
        <translation>Reservierung ändern: %1</translation>
    </message>
    <message>
        <source>Ends at %1</source>
        <translation>Endet um %1</translation>
    </message>
    <message>
        <source>For</source>
        <translation>Für</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Reserve</source>
        <translation>Reservieren</translation>
    </message>
    <message>
        <source>Reserve %1</source>
        <translation>%1 reservieren</translation>
    </message>
    <message>
        <source>This time cannot be used</source>
        <translation>Diese Zeit ist nicht brauchbar</translation>
    </message>
    <message>
        <source>While it is reserved, neither others nor agents can change the run. Its tasks go on and start.</source>
        <translation>Solange er reserviert ist, können weder andere noch Agenten den Lauf ändern. Seine Aufgaben laufen weiter und starten.</translation>
    </message>
    <message>
        <source>While it is reserved, others can change neither its limits nor devices without a reservation of their own. Tasks go on and start.</source>
        <translation>Solange sie reserviert ist, können andere weder ihre Limits ändern noch Geräte ohne eigene Reservierung. Aufgaben laufen weiter und starten.</translation>
    </message>
    <message>
        <source>While it is reserved, others cannot change the device, and it starts no tasks for anybody. What runs there goes on.</source>
        <translation>Solange es reserviert ist, können andere das Gerät nicht ändern, und es startet für niemanden Aufgaben. Was dort läuft, läuft weiter.</translation>
    </message>
    <message>
        <source>Whoever is refused something reads it.</source>
        <translation>Wem etwas verweigert wird, der liest ihn.</translation>
    </message>
</context>
<context>
    <name>RestoreDialog</name>
    <message>
        <source>%1, changed %2 ago</source>
        <translation>%1, vor %2 geändert</translation>
    </message>
    <message>
        <source>Ask me later</source>
        <translation>Später fragen</translation>
    </message>
</context>
<context>
    <name>Restoring</name>
    <message>
        <source>Not everything that was not saved can be restored</source>
        <translation>Nicht alles Ungespeicherte lässt sich wiederherstellen</translation>
    </message>
</context>
<context>
    <name>ResultSection</name>
    <message>
        <source>Copy the error as text</source>
        <translation>Fehler als Text kopieren</translation>
    </message>
    <message>
        <source>Copy the result as text</source>
        <translation>Das Ergebnis als Text kopieren</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Error of %1</source>
        <translation>Fehler von %1</translation>
    </message>
    <message>
        <source>Error: %1</source>
        <translation>Fehler: %1</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Result of %1</source>
        <translation>Ergebnis von %1</translation>
    </message>
    <message>
        <source>Result: %1</source>
        <translation>Ergebnis: %1</translation>
    </message>
    <message>
        <source>Show the whole error</source>
        <translation>Ganzen Fehler zeigen</translation>
    </message>
    <message>
        <source>Show the whole result</source>
        <translation>Das ganze Ergebnis zeigen</translation>
    </message>
</context>
<context>
    <name>ResumablePlurals</name>
    <message numerus="yes">
        <source>%n task(s) ran when Starloom ended</source>
        <translation>
            <numerusform>%n Aufgabe lief, als Starloom endete</numerusform>
            <numerusform>%n Aufgaben liefen, als Starloom endete</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Go on with %n interrupted run(s)?</source>
        <translation>
            <numerusform>%n unterbrochenen Lauf fortsetzen?</numerusform>
            <numerusform>%n unterbrochene Läufe fortsetzen?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Go on with %n run(s)</source>
        <translation>
            <numerusform>%n Lauf fortsetzen</numerusform>
            <numerusform>%n Läufe fortsetzen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Open %n paused run(s) again?</source>
        <translation>
            <numerusform>%n angehaltenen Lauf wieder öffnen?</numerusform>
            <numerusform>%n angehaltene Läufe wieder öffnen?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Open %n run(s)</source>
        <translation>
            <numerusform>%n Lauf öffnen</numerusform>
            <numerusform>%n Läufe öffnen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ResumeDialog</name>
    <message>
        <source>%1 tasks done</source>
        <translation>%1 Aufgaben fertig</translation>
    </message>
    <message>
        <source>Don&apos;t ask again</source>
        <translation>Nicht mehr fragen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Jetzt nicht</translation>
    </message>
    <message>
        <source>What has ended meanwhile counts and is not run again.</source>
        <translation>Was inzwischen geendet hat, zählt und läuft nicht noch einmal.</translation>
    </message>
    <message>
        <source>What has ended meanwhile counts and is not run again; the rest goes on.</source>
        <translation>Was inzwischen endete, zählt und läuft nicht noch einmal; der Rest geht weiter.</translation>
    </message>
    <message>
        <source>What was not started stays so until you start it.</source>
        <translation>Was nicht gestartet war, bleibt es, bis Sie es starten.</translation>
    </message>
    <message>
        <source>What was paused stays so until you resume it.</source>
        <translation>Was angehalten war, bleibt es, bis Sie es fortsetzen.</translation>
    </message>
    <message>
        <source>last change: %1</source>
        <translation>letzte Änderung: %1</translation>
    </message>
    <message>
        <source>no task ran when Starloom ended</source>
        <translation>keine Aufgabe lief, als Starloom endete</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>nicht gestartet</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
</context>
<context>
    <name>Resuming</name>
    <message>
        <source>No run was interrupted. There is nothing to go on with.</source>
        <translation>Kein Lauf wurde unterbrochen. Es gibt nichts fortzusetzen.</translation>
    </message>
    <message>
        <source>“%1” does not go on</source>
        <translation>„%1“ geht nicht weiter</translation>
    </message>
</context>
<context>
    <name>RowRemoving</name>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove and reconnect</source>
        <translation>Entfernen und neu verbinden</translation>
    </message>
</context>
<context>
    <name>RowRenaming</name>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Select the task that is to be renamed.</source>
        <translation>Wählen Sie die Aufgabe aus, die umbenannt werden soll.</translation>
    </message>
    <message>
        <source>There is no run.</source>
        <translation>Es gibt keinen Lauf.</translation>
    </message>
</context>
<context>
    <name>RunDifferencePlurals</name>
    <message numerus="yes">
        <source>%n task(s) added</source>
        <translation>
            <numerusform>%n Aufgabe hinzugekommen</numerusform>
            <numerusform>%n Aufgaben hinzugekommen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) here only simulated</source>
        <translation>
            <numerusform>hier %n Aufgabe nur simuliert</numerusform>
            <numerusform>hier %n Aufgaben nur simuliert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) removed</source>
        <translation>
            <numerusform>%n Aufgabe weggefallen</numerusform>
            <numerusform>%n Aufgaben weggefallen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) there only simulated</source>
        <translation>
            <numerusform>dort %n Aufgabe nur simuliert</numerusform>
            <numerusform>dort %n Aufgaben nur simuliert</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunEditor</name>
    <message>
        <source>Add it first.</source>
        <translation>Fügen Sie es zuerst hinzu.</translation>
    </message>
    <message>
        <source>Commit or discard first.</source>
        <translation>Erst anwenden oder verwerfen.</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>There is %1.</source>
        <translation>Es gibt %1.</translation>
    </message>
    <message>
        <source>There is no device %1.</source>
        <translation>Es gibt kein Gerät %1.</translation>
    </message>
</context>
<context>
    <name>RunGrid</name>
    <message>
        <source>Newest first</source>
        <translation>Neueste zuerst</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
</context>
<context>
    <name>RunHistory</name>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Import a run</source>
        <translation>Einen Lauf importieren</translation>
    </message>
    <message>
        <source>Nothing is lost: until the trash is emptied, all of it can be had back.</source>
        <translation>Nichts geht verloren: Bis der Papierkorb geleert wird, lässt sich alles zurückholen.</translation>
    </message>
    <message>
        <source>Put into the trash</source>
        <translation>In den Papierkorb legen</translation>
    </message>
    <message>
        <source>Remove for good</source>
        <translation>Endgültig entfernen</translation>
    </message>
    <message>
        <source>Runs (%1)</source>
        <translation>Läufe (%1)</translation>
    </message>
    <message>
        <source>This frees %1 and cannot be undone.</source>
        <translation>Das gibt %1 frei und lässt sich nicht rückgängig machen.</translation>
    </message>
</context>
<context>
    <name>RunLine</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Elapsed %1. %2.</source>
        <translation>Vergangen: %1. %2.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
</context>
<context>
    <name>RunPlurals</name>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation>
            <numerusform>%1 von %n Lauf</numerusform>
            <numerusform>%1 von %n Läufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) in the trash</source>
        <translation>
            <numerusform>%n Lauf im Papierkorb</numerusform>
            <numerusform>%n Läufe im Papierkorb</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunReopener</name>
    <message>
        <source>Its tasks can be retried, rerun and changed. Nothing starts by itself.</source>
        <translation>Seine Aufgaben können wiederholt, erneut ausgeführt und geändert werden. Von selbst beginnt nichts.</translation>
    </message>
    <message>
        <source>“%1” is reopened</source>
        <translation>„%1“ ist wieder geöffnet</translation>
    </message>
    <message>
        <source>“%1” was not reopened</source>
        <translation>„%1“ wurde nicht wieder geöffnet</translation>
    </message>
</context>
<context>
    <name>RunSearch</name>
    <message>
        <source>Search by name, state, day or remark</source>
        <translation>Suche nach Name, Zustand, Tag oder Bemerkung</translation>
    </message>
    <message>
        <source>Search by name, state, day or remark (Ctrl+F)</source>
        <translation>Nach Name, Zustand, Tag oder Bemerkung suchen (Strg+F)</translation>
    </message>
    <message>
        <source>Search runs</source>
        <translation>Läufe suchen</translation>
    </message>
</context>
<context>
    <name>RunStarter</name>
    <message>
        <source>A device of this plan only acts as if it worked, and could be given tasks of “%1”.</source>
        <translation>Ein Gerät dieses Plans tut nur so, als arbeite es, und könnte Aufgaben von „%1“ bekommen.</translation>
    </message>
    <message>
        <source>A device of “%1” only acts as if it worked, and could be given tasks of this one.</source>
        <translation>Ein Gerät von „%1“ tut nur so, als arbeite es, und könnte Aufgaben von diesem Plan bekommen.</translation>
    </message>
    <message>
        <source>Demo</source>
        <translation>Demo</translation>
    </message>
    <message>
        <source>Let “%1” end, or cancel it.</source>
        <translation>Lassen Sie „%1“ enden, oder brechen Sie ihn ab.</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>Nicht gestartet</translation>
    </message>
    <message>
        <source>You have removed it; %1 is back, drained, as something may still run there.</source>
        <translation>Sie haben es entfernt; %1 ist wieder da und nimmt nichts Neues an, weil dort noch etwas laufen kann.</translation>
    </message>
    <message>
        <source>You have removed what it ran on. Add it again if the run needs it.</source>
        <translation>Sie haben entfernt, worauf er lief. Fügen Sie es wieder hinzu, wenn der Lauf es braucht.</translation>
    </message>
    <message>
        <source>“%1” does not go on</source>
        <translation>„%1“ geht nicht weiter</translation>
    </message>
    <message>
        <source>“%1” goes on without %2</source>
        <translation>„%1“ geht ohne %2 weiter</translation>
    </message>
</context>
<context>
    <name>RunTyped</name>
    <message>
        <source>%1 was typed before Starloom ended, and not set.</source>
        <translation>%1 wurde getippt, bevor Starloom endete, und nicht gesetzt.</translation>
    </message>
    <message>
        <source>Copy what was typed</source>
        <translation>Kopieren, was geschrieben war</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>What you typed in “%1” of %2 before Starloom ended is there again, and not set yet.</source>
        <translation>Was Sie in „%1“ von %2 getippt hatten, bevor Starloom endete, steht wieder da und ist noch nicht gesetzt.</translation>
    </message>
</context>
<context>
    <name>Runs</name>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>Angelegt</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>Bemerkung</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Tasks done</source>
        <translation>Erledigt</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauerte</translation>
    </message>
    <message>
        <source>another program</source>
        <translation>einem anderen Programm</translation>
    </message>
    <message>
        <source>can be resumed</source>
        <translation>kann fortgesetzt werden</translation>
    </message>
    <message>
        <source>from elsewhere</source>
        <translation>von anderswo</translation>
    </message>
    <message>
        <source>open in %1</source>
        <translation>offen in %1</translation>
    </message>
    <message>
        <source>process %1 on %2, since %3</source>
        <translation>Prozess %1 auf %2, seit %3</translation>
    </message>
    <message>
        <source>this program</source>
        <translation>diesem Programm</translation>
    </message>
</context>
<context>
    <name>RunsElsewhere</name>
    <message>
        <source>%1 had ended, and the server was started anew since.</source>
        <translation>%1 hatte geendet, und der Server wurde seitdem neu gestartet.</translation>
    </message>
    <message>
        <source>%1 had ended, and the server was started anew since. History has what was recorded of it.</source>
        <translation>%1 hatte geendet, und der Server wurde seitdem neu gestartet. Der Verlauf hat, was davon aufgezeichnet wurde.</translation>
    </message>
    <message>
        <source>Copy what was typed</source>
        <translation>Geschriebenes kopieren</translation>
    </message>
    <message>
        <source>Show how it stood</source>
        <translation>Zeigen, wie er stand</translation>
    </message>
    <message>
        <source>The server was started anew without it: without --resume, or the run could not go on, as the server has said where it was started.</source>
        <translation>Der Server wurde ohne ihn neu gestartet: ohne --resume, oder der Lauf konnte nicht weitergehen, wie der Server dort gesagt hat, wo er gestartet wurde.</translation>
    </message>
    <message>
        <source>What you typed there was not set</source>
        <translation>Was dort getippt war, wurde nicht gesetzt</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>„%1“</translation>
    </message>
    <message>
        <source>“%1” is not at the server any more</source>
        <translation>„%1“ ist nicht mehr beim Server</translation>
    </message>
</context>
<context>
    <name>Saver</name>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save output</source>
        <translation>Ausgabe speichern</translation>
    </message>
    <message>
        <source>Text files (*.txt *.log)</source>
        <translation>Textdateien (*.txt *.log)</translation>
    </message>
    <message>
        <source>The output was not saved to %1: %2.</source>
        <translation>Die Ausgabe wurde nicht nach %1 gespeichert: %2.</translation>
    </message>
</context>
<context>
    <name>Saving</name>
    <message>
        <source>%1

%2 will be a copy; the plan stays open as it is, not saved.</source>
        <translation>%1

%2 wird eine Kopie; der Plan bleibt offen, wie er ist, ungespeichert.</translation>
    </message>
    <message>
        <source>%1 The plan is still open, and no file was changed.</source>
        <translation>%1 Der Plan ist noch offen, und keine Datei wurde geändert.</translation>
    </message>
    <message>
        <source>%1 is open in another tab. That stays open, without a file and not saved.</source>
        <translation>%1 ist in einem anderen Reiter offen. Der bleibt offen, ohne Datei und nicht gespeichert.</translation>
    </message>
    <message>
        <source>%1 was not saved</source>
        <translation>%1 wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>%1: %2. This is a defect.</source>
        <translation>%1: %2. Das ist ein Fehler des Programms.</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) of it have comments. The plan does not hold them, and saving writes the file anew.</source>
        <translation>
            <numerusform>%n Zeile hat einen Kommentar. Der Plan enthält ihn nicht, und Speichern schreibt die Datei neu.</numerusform>
            <numerusform>%n Zeilen haben Kommentare. Der Plan enthält sie nicht, und Speichern schreibt die Datei neu.</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>It has changed on disk since it was opened. Saving would undo those changes, reloading yours.</source>
        <translation>Sie hat sich auf der Platte geändert, seit sie geöffnet wurde. Speichern würde das rückgängig machen, neu laden Ihre eigenen Änderungen.</translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation>Überschreiben</translation>
    </message>
    <message>
        <source>Overwrite %1?</source>
        <translation>%1 überschreiben?</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Replace %1?</source>
        <translation>%1 ersetzen?</translation>
    </message>
    <message>
        <source>Save %1 without its comments?</source>
        <translation>%1 ohne die Kommentare speichern?</translation>
    </message>
    <message>
        <source>Save a copy as %1?</source>
        <translation>Eine Kopie als %1 speichern?</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>Save copy</source>
        <translation>Kopie speichern</translation>
    </message>
    <message>
        <source>Save without</source>
        <translation>Ohne speichern</translation>
    </message>
    <message>
        <source>Save “%1” as</source>
        <translation>„%1“ speichern unter</translation>
    </message>
    <message>
        <source>There is a file %1 already; what is in it would be lost.</source>
        <translation>Es gibt schon eine Datei %1; was darin steht, ginge verloren.</translation>
    </message>
</context>
<context>
    <name>Scheduler</name>
    <message>
        <source>%1 ready now; from %2 on new runs are refused</source>
        <translation>%1 jetzt bereit; ab %2 werden neue Läufe abgelehnt</translation>
    </message>
    <message>
        <source>%1 ready now; new runs are never refused</source>
        <translation>%1 jetzt bereit; neue Läufe werden nie abgelehnt</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1-fach</translation>
    </message>
    <message>
        <source>All work over the longest chain by time: more devices than that cannot help</source>
        <translation>Alle Arbeit durch die längste Kette nach Zeit: mehr Geräte helfen nicht</translation>
    </message>
    <message>
        <source>Answered</source>
        <translation>Beantwortet</translation>
    </message>
    <message>
        <source>As measured, else as estimated, if there were always a free slot</source>
        <translation>Wie gemessen, sonst wie geschätzt, wenn immer ein Platz frei wäre</translation>
    </message>
    <message>
        <source>Capability match</source>
        <translation>Nach Fähigkeiten</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>Kritischer Pfad</translation>
    </message>
    <message>
        <source>Devices take turns, however loaded they are.</source>
        <translation>Die Geräte wechseln sich ab, wie ausgelastet sie auch sind.</translation>
    </message>
    <message>
        <source>Edit cycles of this run</source>
        <translation>Änderungszyklen dieses Laufs</translation>
    </message>
    <message>
        <source>Ended tasks that agents were asked about</source>
        <translation>Beendete Aufgaben, zu denen Agenten gefragt wurden</translation>
    </message>
    <message>
        <source>Handed to agents</source>
        <translation>Agenten vorgelegt</translation>
    </message>
    <message>
        <source>In runs to come, agents are waited for up to %1 s.</source>
        <translation>In künftigen Läufen wird bis zu %1 s auf Agenten gewartet.</translation>
    </message>
    <message>
        <source>Load balance</source>
        <translation>Nach Last</translation>
    </message>
    <message>
        <source>Longest chain</source>
        <translation>Längste Kette</translation>
    </message>
    <message>
        <source>Longest chain by time</source>
        <translation>Längste Kette nach Zeit</translation>
    </message>
    <message>
        <source>Longest paths go first, and a task may wait for a faster device where it ends sooner.</source>
        <translation>Die längsten Pfade kommen zuerst; eine Aufgabe kann auf ein schnelleres Gerät warten, auf dem sie früher endet.</translation>
    </message>
    <message>
        <source>No task is said to be overdue.</source>
        <translation>Keine Aufgabe gilt als überfällig.</translation>
    </message>
    <message>
        <source>Overdue beyond %1 times the estimate, unless the plan gives another factor</source>
        <translation>Überfällig ab dem %1-Fachen der Schätzung, wenn der Plan keinen anderen Faktor nennt</translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation>Parallelität</translation>
    </message>
    <message>
        <source>Priority grows by %2 a second, in %1 s to 60</source>
        <translation>Priorität wächst um %2 je Sekunde, in %1 s auf 60</translation>
    </message>
    <message>
        <source>Promoted by age</source>
        <translation>Durch Alter vorgezogen</translation>
    </message>
    <message>
        <source>Round robin</source>
        <translation>Reihum</translation>
    </message>
    <message>
        <source>Tasks that started by their age while one of higher priority was ready</source>
        <translation>Aufgaben, die ihres Alters wegen begannen, während eine wichtigere bereit war</translation>
    </message>
    <message>
        <source>The device that can do the least besides goes first.</source>
        <translation>Zuerst kommt das Gerät, das sonst am wenigsten kann.</translation>
    </message>
    <message>
        <source>The device with the most free slots for its size goes first.</source>
        <translation>Zuerst kommt das Gerät, von dem der größte Anteil frei ist.</translation>
    </message>
    <message>
        <source>The most tasks that have to run one after the other</source>
        <translation>Die meisten Aufgaben, die nacheinander laufen müssen</translation>
    </message>
    <message>
        <source>The most tasks that stand equally far from the start, and could run at once</source>
        <translation>Die meisten Aufgaben, die gleich weit vom Anfang entfernt sind und zugleich laufen könnten</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieser Lauf</translation>
    </message>
    <message>
        <source>This run has its own: %1</source>
        <translation>Dieser Lauf hat eine eigene: %1</translation>
    </message>
    <message>
        <source>This run waits %1 s.</source>
        <translation>Dieser Lauf wartet %1 s.</translation>
    </message>
    <message>
        <source>Those that were not waited for any longer</source>
        <translation>Die, auf die nicht länger gewartet wurde</translation>
    </message>
    <message>
        <source>Those they answered to, with edits or without</source>
        <translation>Die, zu denen sie geantwortet haben, mit oder ohne Änderungen</translation>
    </message>
    <message>
        <source>Timed out</source>
        <translation>Zeit abgelaufen</translation>
    </message>
    <message>
        <source>Waiting tasks do not age.</source>
        <translation>Wartende Aufgaben altern nicht.</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
</context>
<context>
    <name>SchedulerPanel</name>
    <message>
        <source>Agents may take, s</source>
        <translation>Zeit für Agenten, s</translation>
    </message>
    <message>
        <source>How devices are chosen for the tasks of all runs that do not say it themselves</source>
        <translation>Wie Geräte für die Aufgaben aller Läufe gewählt werden, die es nicht selbst sagen</translation>
    </message>
    <message>
        <source>Longest queue</source>
        <translation>Längste Warteschlange</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>No aging</source>
        <translation>Kein Altern</translation>
    </message>
    <message>
        <source>Overdue factor</source>
        <translation>Überfällig ab Faktor</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>Platzierung</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <source>Starvation time-out, s</source>
        <translation>Höchste Wartezeit, s</translation>
    </message>
</context>
<context>
    <name>ScopePlurals</name>
    <message numerus="yes">
        <source>%n can no longer be changed</source>
        <translation>
            <numerusform>%n lässt sich nicht mehr ändern</numerusform>
            <numerusform>%n lassen sich nicht mehr ändern</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ScriptDialog</name>
    <message>
        <source>Ctrl+Enter keeps it</source>
        <translation>Strg+Eingabe übernimmt es</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
</context>
<context>
    <name>Scrubber</name>
    <message>
        <source>%1 after the start</source>
        <translation>%1 nach dem Start</translation>
    </message>
    <message>
        <source>Before the start</source>
        <translation>Vor dem Start</translation>
    </message>
    <message>
        <source>Moment of the run</source>
        <translation>Augenblick des Laufs</translation>
    </message>
    <message>
        <source>The journal is being read.</source>
        <translation>Das Journal wird gelesen.</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Find a task</source>
        <translation>Aufgabe suchen</translation>
    </message>
    <message>
        <source>Find a task by its name. Enter: to the next one on the graph, Shift+Enter: to the one before, F3: on</source>
        <translation>Eine Aufgabe nach ihrem Namen suchen. Eingabe: zur nächsten im Graphen, Umschalt+Eingabe: zur vorigen, F3: weiter</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
</context>
<context>
    <name>SearchRow</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 of %2 in these lines</source>
        <translation>%1 von %2 in diesen Zeilen</translation>
    </message>
    <message>
        <source>More than %1</source>
        <translation>Mehr als %1</translation>
    </message>
    <message>
        <source>Next place</source>
        <translation>Nächste Stelle</translation>
    </message>
    <message>
        <source>Next place (F3)</source>
        <translation>Nächste Stelle (F3)</translation>
    </message>
    <message>
        <source>Not in these lines</source>
        <translation>Nicht in diesen Zeilen</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Previous place</source>
        <translation>Vorige Stelle</translation>
    </message>
    <message>
        <source>Previous place (Shift+F3)</source>
        <translation>Vorige Stelle (Umschalt+F3)</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Return: next place, Shift+Return: the one before, Escape: done</source>
        <translation>Eingabe: nächste Stelle, Umschalt+Eingabe: die vorige, Esc: fertig</translation>
    </message>
    <message>
        <source>Search output</source>
        <translation>Ausgabe durchsuchen</translation>
    </message>
</context>
<context>
    <name>ServerConsoles</name>
    <message>
        <source>%1 is not shown</source>
        <translation>%1 wird nicht gezeigt</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>Verbindung mit %1 wird aufgebaut …</translation>
    </message>
    <message>
        <source>Own engine</source>
        <translation>Eigene Engine</translation>
    </message>
    <message>
        <source>The engine of a server: %1. Its runs go on when it is shown no more.</source>
        <translation>Die Engine eines Servers: %1. Ihre Läufe gehen weiter, wenn sie nicht mehr gezeigt wird.</translation>
    </message>
    <message>
        <source>The engine of this program. You are asked about its runs before the window is closed.</source>
        <translation>Die Engine dieses Programms. Vor dem Schließen des Fensters werden Sie nach ihren Läufen gefragt.</translation>
    </message>
</context>
<context>
    <name>ServerPlurals</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n Lauf</numerusform>
            <numerusform>%n Läufe</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>%1 Nothing was changed.</source>
        <translation>%1 Nichts wurde geändert.</translation>
    </message>
</context>
<context>
    <name>ShortTask</name>
    <message>
        <source>not started</source>
        <translation>geplant</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>Add to the selection</source>
        <translation>Zur Auswahl hinzufügen</translation>
    </message>
    <message>
        <source>Alt+Left, Alt+Right; Enter</source>
        <translation>Alt+Links, Alt+Rechts; Eingabe</translation>
    </message>
    <message>
        <source>Alt+Shift+Right, Left</source>
        <translation>Alt+Umschalt+Rechts, Links</translation>
    </message>
    <message>
        <source>Alt+Up, Alt+Down; Enter</source>
        <translation>Alt+Hoch, Alt+Herunter; Eingabe</translation>
    </message>
    <message>
        <source>Alt+arrows</source>
        <translation>Alt+Pfeile</translation>
    </message>
    <message>
        <source>Attempt before, after</source>
        <translation>Versuch davor, danach</translation>
    </message>
    <message>
        <source>Bring back what was deleted</source>
        <translation>Gelöschtes zurückholen</translation>
    </message>
    <message>
        <source>Choose its other end</source>
        <translation>Das andere Ende wählen</translation>
    </message>
    <message>
        <source>Connect to a task behind, before</source>
        <translation>Mit einer Aufgabe danach, davor verbinden</translation>
    </message>
    <message>
        <source>Copy and export</source>
        <translation>Kopieren und exportieren</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>Als CSV kopieren</translation>
    </message>
    <message>
        <source>Copy, cut, paste</source>
        <translation>Kopieren, ausschneiden, einfügen</translation>
    </message>
    <message>
        <source>Ctrl + these</source>
        <translation>Strg + diese</translation>
    </message>
    <message>
        <source>Ctrl while dragging</source>
        <translation>Strg beim Ziehen</translation>
    </message>
    <message>
        <source>Curve above, below</source>
        <translation>Kurve darüber, darunter</translation>
    </message>
    <message>
        <source>Drag nodes past every line</source>
        <translation>Knoten an allen Linien vorbeiziehen</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Verdoppeln</translation>
    </message>
    <message>
        <source>Earlier, later</source>
        <translation>Früher, später</translation>
    </message>
    <message>
        <source>Editing the graph</source>
        <translation>Beim Bearbeiten des Graphen</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Enter, Delete, Alt+arrows</source>
        <translation>Eingabe, Entf, Alt+Pfeile</translation>
    </message>
    <message>
        <source>Export, import a run</source>
        <translation>Einen Lauf exportieren, importieren</translation>
    </message>
    <message>
        <source>Extend the selection</source>
        <translation>Auswahl erweitern</translation>
    </message>
    <message>
        <source>Find a row or a bar</source>
        <translation>Eine Zeile oder einen Balken finden</translation>
    </message>
    <message>
        <source>Find a task</source>
        <translation>Eine Aufgabe finden</translation>
    </message>
    <message>
        <source>First, last run</source>
        <translation>Erster, letzter Lauf</translation>
    </message>
    <message>
        <source>First, last task</source>
        <translation>Erste, letzte Aufgabe</translation>
    </message>
    <message>
        <source>Fold by groups, by levels, unfold all</source>
        <translation>Gruppen, Ebenen zuklappen, alles aufklappen</translation>
    </message>
    <message>
        <source>Follow dependencies</source>
        <translation>Abhängigkeiten folgen</translation>
    </message>
    <message>
        <source>Follow the present</source>
        <translation>Der Gegenwart folgen</translation>
    </message>
    <message>
        <source>Go back to that moment</source>
        <translation>Zu diesem Moment zurückgehen</translation>
    </message>
    <message>
        <source>Go there without selecting</source>
        <translation>Hingehen, ohne auszuwählen</translation>
    </message>
    <message>
        <source>Go to a sibling</source>
        <translation>Zu einer Nachbarin gehen</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Pos1, Ende</translation>
    </message>
    <message>
        <source>In the graph</source>
        <translation>Im Graphen</translation>
    </message>
    <message>
        <source>In the grid of runs</source>
        <translation>Im Raster der Läufe</translation>
    </message>
    <message>
        <source>In the history</source>
        <translation>Im Verlauf</translation>
    </message>
    <message>
        <source>In the plots</source>
        <translation>In den Diagrammen</translation>
    </message>
    <message>
        <source>In the timeline and in tables</source>
        <translation>In der Zeitleiste und in Tabellen</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>Tastatur</translation>
    </message>
    <message>
        <source>Kind and condition of it</source>
        <translation>Ihre Art und Bedingung</translation>
    </message>
    <message>
        <source>Lane above, below</source>
        <translation>Spur darüber, darunter</translation>
    </message>
    <message>
        <source>Larger or unfold, smaller or fold</source>
        <translation>Größer oder auf, kleiner oder zu</translation>
    </message>
    <message>
        <source>Larger, smaller</source>
        <translation>Größer, kleiner</translation>
    </message>
    <message>
        <source>Last runs of its plan</source>
        <translation>Letzte Läufe seines Plans</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>Links, Rechts</translation>
    </message>
    <message>
        <source>Link with the timeline</source>
        <translation>Mit der Zeitachse koppeln</translation>
    </message>
    <message>
        <source>Make it wider, narrower</source>
        <translation>Breiter, schmaler machen</translation>
    </message>
    <message>
        <source>Menu, Shift+F10</source>
        <translation>Menü, Umschalt+F10</translation>
    </message>
    <message>
        <source>Move an end of it</source>
        <translation>Ein Ende verlegen</translation>
    </message>
    <message>
        <source>Move nodes</source>
        <translation>Knoten verschieben</translation>
    </message>
    <message>
        <source>Move the hairline</source>
        <translation>Die Haarlinie bewegen</translation>
    </message>
    <message>
        <source>New task behind, or into it</source>
        <translation>Neue Aufgabe danach oder hinein</translation>
    </message>
    <message>
        <source>Next, previous dependency</source>
        <translation>Nächste, vorige Abhängigkeit</translation>
    </message>
    <message>
        <source>Next, previous note</source>
        <translation>Nächste, vorige Notiz</translation>
    </message>
    <message>
        <source>Open the run at the task</source>
        <translation>Lauf bei der Aufgabe öffnen</translation>
    </message>
    <message>
        <source>Paste with outside dependencies</source>
        <translation>Mit äußeren Abhängigkeiten einfügen</translation>
    </message>
    <message>
        <source>Queue: earlier, later</source>
        <translation>Warteschlange: früher, später</translation>
    </message>
    <message>
        <source>Read the journals again</source>
        <translation>Journale neu lesen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove and reconnect</source>
        <translation>Entfernen und neu verbinden</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Select an area</source>
        <translation>Einen Bereich auswählen</translation>
    </message>
    <message>
        <source>Shift+Left, Shift+Right</source>
        <translation>Umschalt+Links, Umschalt+Rechts</translation>
    </message>
    <message>
        <source>Shift+arrows</source>
        <translation>Umschalt+Pfeile</translation>
    </message>
    <message>
        <source>Shift+drag</source>
        <translation>Umschalt+Ziehen</translation>
    </message>
    <message>
        <source>Show in the inspector</source>
        <translation>Im Inspektor zeigen</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>Ganzen Graphen zeigen</translation>
    </message>
    <message>
        <source>Show the whole run</source>
        <translation>Den ganzen Lauf zeigen</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Switch a curve</source>
        <translation>Eine Kurve schalten</translation>
    </message>
    <message>
        <source>Take past another task</source>
        <translation>An einer anderen Aufgabe vorbei</translation>
    </message>
    <message>
        <source>Take to another device</source>
        <translation>Auf ein anderes Gerät bringen</translation>
    </message>
    <message>
        <source>Task to the middle</source>
        <translation>Aufgabe in die Mitte</translation>
    </message>
    <message>
        <source>Task, run before or after</source>
        <translation>Aufgabe, Lauf davor oder danach</translation>
    </message>
    <message>
        <source>Tasks, outline: rename, remove</source>
        <translation>Aufgaben, Gliederung: umbenennen, entfernen</translation>
    </message>
    <message>
        <source>Tasks: copy errors</source>
        <translation>Aufgaben: Fehler kopieren</translation>
    </message>
    <message>
        <source>Tasks: copy rows</source>
        <translation>Aufgaben: Zeilen kopieren</translation>
    </message>
    <message>
        <source>The same, of another kind</source>
        <translation>Dasselbe, von anderer Art</translation>
    </message>
    <message>
        <source>Turn the graph</source>
        <translation>Graphen drehen</translation>
    </message>
    <message>
        <source>Type; F3, Shift+F3</source>
        <translation>Tippen; F3, Umschalt+F3</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>Hoch, Herunter</translation>
    </message>
    <message>
        <source>Verbs</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Write, remove, move it</source>
        <translation>Schreiben, entfernen, verschieben</translation>
    </message>
    <message>
        <source>arrows</source>
        <translation>Pfeile</translation>
    </message>
    <message>
        <source>arrows, Enter</source>
        <translation>Pfeile, Eingabe</translation>
    </message>
</context>
<context>
    <name>SimulationQuestions</name>
    <message>
        <source>Go on with “%1” on simulated devices, too?</source>
        <translation>„%1“ auch auf simulierten Geräten fortsetzen?</translation>
    </message>
    <message>
        <source>“%1” on simulated devices, too?</source>
        <translation>„%1“ auch auf simulierten Geräten?</translation>
    </message>
</context>
<context>
    <name>SlotsDialog</name>
    <message>
        <source>%1 is in the fleet no more.</source>
        <translation>%1 ist nicht mehr in der Flotte.</translation>
    </message>
    <message>
        <source>Nothing is changed yet</source>
        <translation>Noch ist nichts geändert</translation>
    </message>
    <message>
        <source>There is no such device any more</source>
        <translation>Dieses Gerät gibt es nicht mehr</translation>
    </message>
    <message>
        <source>This number cannot be used</source>
        <translation>Diese Zahl geht nicht</translation>
    </message>
</context>
<context>
    <name>SlowestSection</name>
    <message>
        <source>%1 · longest %2: %3</source>
        <translation>%1 · längste %2: %3</translation>
    </message>
    <message>
        <source>Select the task that took longest: %1</source>
        <translation>Die Aufgabe auswählen, die am längsten dauerte: %1</translation>
    </message>
    <message>
        <source>Slowest by group</source>
        <translation>Langsamste Gruppen</translation>
    </message>
    <message>
        <source>Slowest tasks</source>
        <translation>Langsamste Aufgaben</translation>
    </message>
    <message>
        <source>on average</source>
        <translation>im Mittel</translation>
    </message>
</context>
<context>
    <name>SpeedupsSection</name>
    <message>
        <source>Being looked for: a limit or a device has changed.</source>
        <translation>Wird gesucht: Ein Limit oder ein Gerät hat sich geändert.</translation>
    </message>
    <message>
        <source>Do it now. Foreseen as if every task took as long as it does now.</source>
        <translation>Jetzt tun. Vorausgesehen, als ob jede Aufgabe so lange dauerte wie jetzt.</translation>
    </message>
    <message>
        <source>Enable %1</source>
        <translation>%1 einschalten</translation>
    </message>
    <message>
        <source>End the reservation of %1</source>
        <translation>Die Reservierung von %1 beenden</translation>
    </message>
    <message>
        <source>Its critical path: %1, %2. No limit, slot or device alone would let it end earlier.</source>
        <translation>Sein kritischer Pfad: %1, %2. Kein Limit, Platz oder Gerät allein ließe ihn früher enden.</translation>
    </message>
    <message>
        <source>Limit group %1: %2 to %3</source>
        <translation>Limitgruppe %1: %2 auf %3</translation>
    </message>
    <message>
        <source>Limit of all runs %1 to %2</source>
        <translation>Limit aller Läufe %1 auf %2</translation>
    </message>
    <message>
        <source>Limit of the run %1 to %2</source>
        <translation>Limit des Laufs %1 auf %2</translation>
    </message>
    <message>
        <source>No limit, slot or device alone would let it end earlier.</source>
        <translation>Kein Limit, Platz oder Gerät allein ließe ihn früher enden.</translation>
    </message>
    <message>
        <source>Not known: some of what is left has no estimate, or waits for a person.</source>
        <translation>Unbekannt: manches, was bleibt, hat keine Schätzung oder wartet auf einen Menschen.</translation>
    </message>
    <message>
        <source>Not known: tasks of a run beside this one have no estimate and may take its slots.</source>
        <translation>Nicht bekannt: Aufgaben eines Laufs neben diesem haben keine Schätzung und können ihm Plätze nehmen.</translation>
    </message>
    <message>
        <source>Resume %1</source>
        <translation>%1 fortsetzen</translation>
    </message>
    <message>
        <source>Slots of %1: %2 to %3</source>
        <translation>Plätze von %1: %2 auf %3</translation>
    </message>
    <message>
        <source>What decides the finish</source>
        <translation>Was das Ende bestimmt</translation>
    </message>
</context>
<context>
    <name>StagedStrip</name>
    <message>
        <source>Apply all of them at once (%1)</source>
        <translation>Alle auf einmal anwenden (%1)</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Do without all of them; undo brings them back</source>
        <translation>Ohne sie alle weitermachen; Rückgängig holt sie zurück</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Foreseeing…</source>
        <translation>Wird vorausgesehen …</translation>
    </message>
    <message>
        <source>Staged changes</source>
        <translation>Gesammelte Änderungen</translation>
    </message>
    <message>
        <source>Valid at revision %1</source>
        <translation>Gültig bei Revision %1</translation>
    </message>
</context>
<context>
    <name>StagingArea</name>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>A commit is under way.</source>
        <translation>Änderungen werden gerade angewandt.</translation>
    </message>
    <message>
        <source>Drop</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>Drop or change what no longer fits.</source>
        <translation>Was nicht mehr passt, weglassen oder ändern.</translation>
    </message>
    <message>
        <source>Nothing is staged.</source>
        <translation>Nichts ist gesammelt.</translation>
    </message>
</context>
<context>
    <name>Stale</name>
    <message>
        <source>Last heard %1 ago</source>
        <translation>Zuletzt vor %1 gehört</translation>
    </message>
</context>
<context>
    <name>StatusChip</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>Steps</name>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>Add dependency %1</source>
        <translation>Abhängigkeit %1 hinzufügen</translation>
    </message>
    <message>
        <source>Bypass %1</source>
        <translation>%1 überbrücken</translation>
    </message>
    <message>
        <source>Do not bypass %1</source>
        <translation>%1 nicht überbrücken</translation>
    </message>
    <message>
        <source>Let %1 depend on %2</source>
        <translation>%1 von %2 abhängig machen</translation>
    </message>
    <message>
        <source>Make %1 run %2</source>
        <translation>%1 %2 laufen lassen</translation>
    </message>
    <message>
        <source>Move dependency %1 to %2</source>
        <translation>Abhängigkeit %1 nach %2 versetzen</translation>
    </message>
    <message>
        <source>Put %1 into group %2</source>
        <translation>%1 in die Gruppe %2 legen</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Remove %1 and reconnect</source>
        <translation>%1 entfernen und neu verbinden</translation>
    </message>
    <message>
        <source>Remove dependency %1</source>
        <translation>Abhängigkeit %1 entfernen</translation>
    </message>
    <message>
        <source>Rename %1 to %2</source>
        <translation>%1 in %2 umbenennen</translation>
    </message>
    <message>
        <source>Take %1 out of its group</source>
        <translation>%1 aus der Gruppe nehmen</translation>
    </message>
    <message>
        <source>Take %1 out of their groups</source>
        <translation>%1 aus ihren Gruppen nehmen</translation>
    </message>
    <message>
        <source>always</source>
        <translation>immer</translation>
    </message>
    <message>
        <source>on a condition</source>
        <translation>unter einer Bedingung</translation>
    </message>
    <message>
        <source>on failure</source>
        <translation>bei Fehlschlag</translation>
    </message>
    <message>
        <source>on success</source>
        <translation>bei Erfolg</translation>
    </message>
</context>
<context>
    <name>TabList</name>
    <message>
        <source>All tabs</source>
        <translation>Alle Reiter</translation>
    </message>
</context>
<context>
    <name>TableHeader</name>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Descending</source>
        <translation>Absteigend</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>Sortieren nach</translation>
    </message>
</context>
<context>
    <name>Tabs</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 *</source>
        <translation>%1 *</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1: waits for you</source>
        <translation>%1: wartet auf Sie</translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation>Reiter schließen</translation>
    </message>
    <message>
        <source>Plan with unsaved changes: %1</source>
        <translation>Plan mit ungespeicherten Änderungen: %1</translation>
    </message>
    <message>
        <source>Plan: %1</source>
        <translation>Plan: %1</translation>
    </message>
    <message>
        <source>Plans and runs</source>
        <translation>Pläne und Läufe</translation>
    </message>
    <message>
        <source>Run: %1</source>
        <translation>Lauf: %1</translation>
    </message>
</context>
<context>
    <name>Task</name>
    <message>
        <source>%1 cancelled</source>
        <translation>%1 abgebrochen</translation>
    </message>
    <message>
        <source>%1 cannot be evaluated: %2</source>
        <translation>%1 lässt sich nicht auswerten: %2</translation>
    </message>
    <message>
        <source>%1 did not fail</source>
        <translation>%1 ist nicht fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 inherited from “%2”, which waits for it</source>
        <translation>%1 geerbt von „%2“, das darauf wartet</translation>
    </message>
    <message>
        <source>%1 is done</source>
        <translation>%1 ist fertig</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 skipped</source>
        <translation>%1 übersprungen</translation>
    </message>
    <message>
        <source>%1 was not true</source>
        <translation>%1 traf nicht zu</translation>
    </message>
    <message>
        <source>No output for %1</source>
        <translation>Seit %1 keine Ausgabe</translation>
    </message>
    <message>
        <source>Overdue by %1: it was expected to take %2</source>
        <translation>Überfällig seit %1: erwartet war eine Dauer von %2</translation>
    </message>
    <message>
        <source>Result: %1</source>
        <translation>Ergebnis: %1</translation>
    </message>
    <message>
        <source>agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>approval</source>
        <translation>Zustimmung</translation>
    </message>
    <message>
        <source>approved</source>
        <translation>zugestimmt</translation>
    </message>
    <message>
        <source>asks you</source>
        <translation>fragt Sie</translation>
    </message>
    <message>
        <source>asks you · %1</source>
        <translation>fragt Sie · %1</translation>
    </message>
    <message>
        <source>at breakpoint</source>
        <translation>am Haltepunkt</translation>
    </message>
    <message>
        <source>because of %1</source>
        <translation>wegen %1</translation>
    </message>
    <message>
        <source>beyond the goal</source>
        <translation>jenseits des Ziels</translation>
    </message>
    <message>
        <source>device away</source>
        <translation>Gerät weg</translation>
    </message>
    <message>
        <source>device drained</source>
        <translation>Gerät läuft leer</translation>
    </message>
    <message>
        <source>device reserved</source>
        <translation>Gerät reserviert</translation>
    </message>
    <message>
        <source>duration unknown</source>
        <translation>Dauer unbekannt</translation>
    </message>
    <message>
        <source>exit %1</source>
        <translation>Exit %1</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>group full</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>held</source>
        <translation>zurückgehalten</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>in line · %1</source>
        <translation>steht an · %1</translation>
    </message>
    <message>
        <source>inherits %1</source>
        <translation>erbt %1</translation>
    </message>
    <message>
        <source>killed by %1</source>
        <translation>beendet durch %1</translation>
    </message>
    <message>
        <source>limit group full</source>
        <translation>Limitgruppe voll</translation>
    </message>
    <message>
        <source>marked</source>
        <translation>markiert</translation>
    </message>
    <message>
        <source>no device</source>
        <translation>kein Gerät</translation>
    </message>
    <message>
        <source>no such device</source>
        <translation>Gerät fehlt</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>nicht gestartet</translation>
    </message>
    <message>
        <source>out of reach · %1</source>
        <translation>nicht erreichbar · %1</translation>
    </message>
    <message>
        <source>overdue · %1</source>
        <translation>überfällig · %1</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>paused · retry due in %1</source>
        <translation>angehalten · neuer Versuch fällig in %1</translation>
    </message>
    <message>
        <source>ready · %1</source>
        <translation>bereit · %1</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>retry in %1</source>
        <translation>wieder in %1</translation>
    </message>
    <message>
        <source>run limit</source>
        <translation>Limit des Laufs</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>gestoppt</translation>
    </message>
    <message>
        <source>stopping · %1</source>
        <translation>hält an · %1</translation>
    </message>
    <message>
        <source>time over</source>
        <translation>Zeit abgelaufen</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>wartet auf %1</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>wartet auf Sie</translation>
    </message>
    <message>
        <source>waits for you · %1</source>
        <translation>wartet auf Sie · %1</translation>
    </message>
</context>
<context>
    <name>TaskFilterBar</name>
    <message>
        <source>Any device</source>
        <translation>Alle Geräte</translation>
    </message>
    <message>
        <source>Any group</source>
        <translation>Alle Gruppen</translation>
    </message>
    <message>
        <source>Choose and sort columns</source>
        <translation>Spalten wählen und sortieren</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Device and group</source>
        <translation>Gerät und Gruppe</translation>
    </message>
    <message>
        <source>Device: %1</source>
        <translation>Gerät: %1</translation>
    </message>
    <message>
        <source>Filter by name or id</source>
        <translation>Nach Name oder Kennung filtern</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Group: %1</source>
        <translation>Gruppe: %1</translation>
    </message>
    <message>
        <source>Show only tasks of one device</source>
        <translation>Nur Aufgaben eines Geräts zeigen</translation>
    </message>
    <message>
        <source>Show only tasks of one group</source>
        <translation>Nur Aufgaben einer Gruppe zeigen</translation>
    </message>
</context>
<context>
    <name>TaskGrid</name>
    <message>
        <source>Place in line</source>
        <translation>Platz in der Reihe</translation>
    </message>
</context>
<context>
    <name>TaskKindsMenu</name>
    <message>
        <source>New task</source>
        <translation>Neue Aufgabe</translation>
    </message>
    <message>
        <source>New task after %1</source>
        <translation>Neue Aufgabe nach %1</translation>
    </message>
    <message>
        <source>New task before %1</source>
        <translation>Neue Aufgabe vor %1</translation>
    </message>
    <message>
        <source>New task between %1 and %2</source>
        <translation>Neue Aufgabe zwischen %1 und %2</translation>
    </message>
</context>
<context>
    <name>Tasks</name>
    <message>
        <source>%1 (on %2, attempt %3)</source>
        <translation>%1 (auf %2, Versuch %3)</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>%1 in all attempts</source>
        <translation>%1 in allen Versuchen</translation>
    </message>
    <message>
        <source>%1, a warning</source>
        <translation>%1, eine Warnung</translation>
    </message>
    <message>
        <source>%1, breakpoint</source>
        <translation>%1, Haltepunkt</translation>
    </message>
    <message>
        <source>%1, bypassed</source>
        <translation>%1, überbrückt</translation>
    </message>
    <message>
        <source>%1, critical</source>
        <translation>%1, kritisch</translation>
    </message>
    <message>
        <source>%1, held</source>
        <translation>%1, zurückgehalten</translation>
    </message>
    <message>
        <source>%1, no output</source>
        <translation>%1, ohne Ausgabe</translation>
    </message>
    <message>
        <source>%1, overdue</source>
        <translation>%1, überfällig</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Later by</source>
        <translation>Später um</translation>
    </message>
    <message>
        <source>Longer by</source>
        <translation>Länger um</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>Removed</source>
        <translation>Entfernt</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Gestartet</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
</context>
<context>
    <name>TasksPanel</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Copy errors</source>
        <translation>Fehler kopieren</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>Zeilen kopieren</translation>
    </message>
    <message>
        <source>No task has failed.</source>
        <translation>Keine Aufgabe ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>No tasks yet. All tasks of the run in front will be listed here.</source>
        <translation>Noch keine Aufgaben. Alle Aufgaben des Laufs im Vordergrund werden hier stehen.</translation>
    </message>
    <message>
        <source>None of the %1 fits the filter.</source>
        <translation>Nichts passt zum Filter: %1.</translation>
    </message>
    <message>
        <source>Open a plan from a file</source>
        <translation>Einen Plan aus einer Datei öffnen</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Retry all failed</source>
        <translation>Fehlgeschlagene wiederholen</translation>
    </message>
    <message>
        <source>Run all failed tasks again</source>
        <translation>Alle fehlgeschlagenen Aufgaben noch einmal ausführen</translation>
    </message>
    <message>
        <source>Show all tasks</source>
        <translation>Alle Aufgaben zeigen</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>There is no run.</source>
        <translation>Es gibt keinen Lauf.</translation>
    </message>
</context>
<context>
    <name>Templates</name>
    <message>
        <source>4 attempts of 5 min, with pauses</source>
        <translation>4 Versuche zu 5 min, mit Pausen</translation>
    </message>
    <message>
        <source>A function in a process of its own</source>
        <translation>Eine Funktion in einem eigenen Prozess</translation>
    </message>
    <message>
        <source>A handler of the host program</source>
        <translation>Ein Handler des umgebenden Programms</translation>
    </message>
    <message>
        <source>A program and its arguments</source>
        <translation>Ein Programm und seine Argumente</translation>
    </message>
    <message>
        <source>Asks a person, and takes no slot meanwhile</source>
        <translation>Fragt einen Menschen und belegt inzwischen keinen Platz</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Command with retries</source>
        <translation>Befehl mit Wiederholungen</translation>
    </message>
    <message>
        <source>Done when all its parents are</source>
        <translation>Fertig, wenn alle Vorgänger es sind</translation>
    </message>
    <message>
        <source>Done when one of its parents is</source>
        <translation>Fertig, wenn ein Vorgänger es ist</translation>
    </message>
    <message>
        <source>First of several</source>
        <translation>Erste von mehreren</translation>
    </message>
    <message>
        <source>Gate</source>
        <translation>Freigabe</translation>
    </message>
    <message>
        <source>Its failure is only a warning</source>
        <translation>Ihr Fehlschlag ist nur eine Warnung</translation>
    </message>
    <message>
        <source>Milestone</source>
        <translation>Meilenstein</translation>
    </message>
    <message>
        <source>Only takes time</source>
        <translation>Braucht nur Zeit</translation>
    </message>
    <message>
        <source>Optional command</source>
        <translation>Optionaler Befehl</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Auftrag</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Shell</source>
        <translation>Shell</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>Simuliert</translation>
    </message>
    <message>
        <source>Text for an agent&apos;s device</source>
        <translation>Text für das Gerät eines Agenten</translation>
    </message>
    <message>
        <source>Text for the system&apos;s shell</source>
        <translation>Text für die Shell des Systems</translation>
    </message>
</context>
<context>
    <name>ThroughputSection</name>
    <message>
        <source>%1 on average</source>
        <translation>%1 im Mittel</translation>
    </message>
    <message>
        <source>%1 tasks/h</source>
        <translation>%1 Aufgaben/h</translation>
    </message>
    <message>
        <source>%1 tasks/min</source>
        <translation>%1 Aufgaben/min</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>At most %1; %2 have ended</source>
        <translation>Höchstens %1; %2 beendet</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
</context>
<context>
    <name>TidyDialog</name>
    <message>
        <source>%1 would go into the trash, %2:</source>
        <translation>%1 kämen in den Papierkorb, %2:</translation>
    </message>
    <message>
        <source>Keep at most</source>
        <translation>Höchstens behalten</translation>
    </message>
    <message>
        <source>Keep the last</source>
        <translation>Behalten: die letzten</translation>
    </message>
    <message>
        <source>MB of all runs</source>
        <translation>MB aller Läufe</translation>
    </message>
    <message>
        <source>No run would go</source>
        <translation>Kein Lauf käme hinein</translation>
    </message>
    <message>
        <source>Put %1 into the trash</source>
        <translation>%1 in den Papierkorb legen</translation>
    </message>
    <message>
        <source>Runs that go on, were interrupted or cannot be read are kept in any case.</source>
        <translation>Läufe, die noch laufen, unterbrochen wurden oder nicht zu lesen sind, werden in jedem Fall behalten.</translation>
    </message>
    <message>
        <source>The number cannot be used</source>
        <translation>Die Zahl ist nicht brauchbar</translation>
    </message>
    <message>
        <source>Tidy up</source>
        <translation>Aufräumen</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Läufe</translation>
    </message>
</context>
<context>
    <name>TimeBar</name>
    <message>
        <source>Elapsed at this moment, since the start of the run and with its pauses</source>
        <translation>Vergangen bis zu diesem Moment, seit dem Start des Laufs und mit seinen Pausen</translation>
    </message>
    <message>
        <source>Elapsed in all, as in the header: since the start of the run, with its pauses</source>
        <translation>Insgesamt vergangen, wie im Kopf: seit dem Start des Laufs, mit seinen Pausen</translation>
    </message>
    <message>
        <source>How many seconds of the run pass in one when it is played</source>
        <translation>Wie viele Sekunden des Laufs beim Abspielen in einer vergehen</translation>
    </message>
    <message>
        <source>No journal to go through</source>
        <translation>Kein Journal zum Durchgehen</translation>
    </message>
    <message>
        <source>Reading the journal…</source>
        <translation>Liest das Journal …</translation>
    </message>
    <message>
        <source>Speed: %1 times</source>
        <translation>Geschwindigkeit: %1-fach</translation>
    </message>
    <message>
        <source>Time travel</source>
        <translation>Zeitreise</translation>
    </message>
    <message>
        <source>event %1 of %2</source>
        <translation>Ereignis %1 von %2</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>%1 of slack</source>
        <translation>%1 Spielraum</translation>
    </message>
    <message>
        <source>%1 to %2, %3</source>
        <translation>%1 bis %2, %3</translation>
    </message>
    <message>
        <source>%1, attempt %2 of %3</source>
        <translation>%1, Versuch %2 von %3</translation>
    </message>
    <message>
        <source>%1, overdue</source>
        <translation>%1, überfällig</translation>
    </message>
    <message>
        <source>%1, slot %2</source>
        <translation>%1, Platz %2</translation>
    </message>
    <message>
        <source>%1, waits for you</source>
        <translation>%1, wartet auf Sie</translation>
    </message>
    <message>
        <source>Another run</source>
        <translation>Ein anderer Lauf</translation>
    </message>
    <message>
        <source>Foreseen: %1 to %2, %3</source>
        <translation>Vorausgesehen: %1 bis %2, %3</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>Let %1 run anywhere</source>
        <translation>%1 überall laufen lassen</translation>
    </message>
    <message>
        <source>No estimate of its start: a gate before it can be answered at any time</source>
        <translation>Beginn ohne Schätzung: Eine Freigabe davor kann jederzeit beantwortet werden</translation>
    </message>
    <message>
        <source>No estimate of its start: when what it waits for ends is unknown</source>
        <translation>Beginn ohne Schätzung: Wann endet, worauf gewartet wird, ist unbekannt</translation>
    </message>
    <message>
        <source>No estimate of the finish</source>
        <translation>Keine Schätzung des Endes</translation>
    </message>
    <message>
        <source>On the critical path</source>
        <translation>Auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source>Only on %1</source>
        <translation>Nur auf %1</translation>
    </message>
    <message>
        <source>Paused; no estimate how long it takes</source>
        <translation>Angehalten; keine Schätzung, wie lange es dauert</translation>
    </message>
    <message>
        <source>Paused; takes %1</source>
        <translation>Angehalten; dauert %1</translation>
    </message>
    <message>
        <source>Pin %1 to %2</source>
        <translation>%1 auf %2 festlegen</translation>
    </message>
    <message>
        <source>Since %1, for %2</source>
        <translation>Seit %1, %2 lang</translation>
    </message>
    <message>
        <source>Starts about %1 or later; when what it waits for ends is unknown</source>
        <translation>Startet etwa %1 oder später; wann endet, worauf gewartet wird, ist unbekannt</translation>
    </message>
    <message>
        <source>Starts about %1; no estimate how long it takes</source>
        <translation>Startet etwa %1; keine Schätzung der Dauer</translation>
    </message>
    <message>
        <source>Stays on %1</source>
        <translation>Bleibt auf %1</translation>
    </message>
    <message>
        <source>The task has been removed.</source>
        <translation>Die Aufgabe wurde entfernt.</translation>
    </message>
    <message>
        <source>Then paused for %1</source>
        <translation>Dann %1 gewartet</translation>
    </message>
    <message>
        <source>Then pauses for %1</source>
        <translation>Wartet dann %1</translation>
    </message>
    <message>
        <source>Waited %1 in the queue</source>
        <translation>Wartete %1 in der Warteschlange</translation>
    </message>
    <message>
        <source>no estimate</source>
        <translation>keine Schätzung</translation>
    </message>
</context>
<context>
    <name>TimelineCorner</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare with an earlier run (Ctrl+Shift+D)</source>
        <translation>Mit früherem Lauf vergleichen (Strg+Umschalt+D)</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Follow the present</source>
        <translation>Der Gegenwart folgen</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>Größer</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Nothing has run yet. Once it has started, the present can be followed here.</source>
        <translation>Noch ist nichts gelaufen. Nach dem Start folgt die Ansicht hier der Gegenwart.</translation>
    </message>
    <message>
        <source>Show less time</source>
        <translation>Weniger Zeit zeigen</translation>
    </message>
    <message>
        <source>Show more time</source>
        <translation>Mehr Zeit zeigen</translation>
    </message>
    <message>
        <source>Show the whole run</source>
        <translation>Den ganzen Lauf zeigen</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>Kleiner</translation>
    </message>
    <message>
        <source>Stop comparing</source>
        <translation>Vergleich beenden</translation>
    </message>
    <message>
        <source>The run has ended. Show all of it</source>
        <translation>Der Lauf ist beendet. Ganz zeigen</translation>
    </message>
</context>
<context>
    <name>TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>What ran, runs and is foreseen to run, one lane for each slot</source>
        <translation>Was lief, läuft und laufen wird, eine Spur für jeden Platz</translation>
    </message>
</context>
<context>
    <name>Travel</name>
    <message>
        <source>The journal of this run has not been read yet.</source>
        <translation>Das Journal dieses Laufs wurde noch nicht gelesen.</translation>
    </message>
    <message>
        <source>The journal of this run is on %1, so that nothing of its past can be shown here.</source>
        <translation>Das Journal dieses Laufs ist auf „%1“; von seiner Vergangenheit lässt sich hier nichts zeigen.</translation>
    </message>
    <message>
        <source>This run keeps no journal, so that nothing of its past can be shown.</source>
        <translation>Dieser Lauf führt kein Journal, daher kann von seiner Vergangenheit nichts gezeigt werden.</translation>
    </message>
</context>
<context>
    <name>Travelling</name>
    <message>
        <source>No run is in front.</source>
        <translation>Kein Lauf ist im Vordergrund.</translation>
    </message>
    <message>
        <source>The present is shown.</source>
        <translation>Die Gegenwart wird gezeigt.</translation>
    </message>
    <message>
        <source>This is the beginning.</source>
        <translation>Das ist der Anfang.</translation>
    </message>
    <message>
        <source>This is the end.</source>
        <translation>Das ist das Ende.</translation>
    </message>
    <message>
        <source>This run is open already: its tasks can be retried, rerun and changed.</source>
        <translation>Dieser Lauf ist schon offen: Seine Aufgaben können wiederholt, erneut ausgeführt und geändert werden.</translation>
    </message>
    <message>
        <source>This run is shown from its journal.</source>
        <translation>Dieser Lauf wird aus seinem Journal gezeigt.</translation>
    </message>
    <message>
        <source>Time travel is off.</source>
        <translation>Die Zeitreise ist aus.</translation>
    </message>
    <message>
        <source>Turn it on first (Ctrl+T).</source>
        <translation>Schalten Sie sie erst ein (Strg+T).</translation>
    </message>
</context>
<context>
    <name>Trial</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Finish %1 → %2</source>
        <translation>Ende %1 → %2</translation>
    </message>
</context>
<context>
    <name>TrustChoice</name>
    <message>
        <source>A proposal waits if it holds an edit of a kind that is ticked</source>
        <translation>Ein Vorschlag wartet, wenn er eine Änderung einer angekreuzten Art enthält</translation>
    </message>
    <message>
        <source>Are applied</source>
        <translation>Werden angewandt</translation>
    </message>
    <message>
        <source>Every proposal is shown to you, and applied if you accept it</source>
        <translation>Jeder Vorschlag wird Ihnen gezeigt und angewandt, wenn Sie ihn annehmen</translation>
    </message>
    <message>
        <source>Every proposal that fits is applied at once, in the agent&apos;s name</source>
        <translation>Jeder Vorschlag, der passt, wird sofort angewandt, im Namen des Agenten</translation>
    </message>
    <message>
        <source>Its edits</source>
        <translation>Seine Änderungen</translation>
    </message>
    <message>
        <source>Some wait</source>
        <translation>Manche warten</translation>
    </message>
    <message>
        <source>Wait for approval</source>
        <translation>Warten auf Zustimmung</translation>
    </message>
    <message>
        <source>Which of its edits wait for approval</source>
        <translation>Welche seiner Änderungen auf Zustimmung warten</translation>
    </message>
</context>
<context>
    <name>TrustDialog</name>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>What %1 may do</source>
        <translation>Was %1 darf</translation>
    </message>
    <message>
        <source>What it has proposed already is not affected.</source>
        <translation>Was er schon vorgeschlagen hat, bleibt davon unberührt.</translation>
    </message>
</context>
<context>
    <name>TypedFind</name>
    <message>
        <source>%1 (not found)</source>
        <translation>%1 (nicht gefunden)</translation>
    </message>
    <message>
        <source>%1: not found</source>
        <translation>%1: nicht gefunden</translation>
    </message>
</context>
<context>
    <name>TypedGuard</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter schreiben</translation>
    </message>
    <message>
        <source>What you typed is not kept yet.</source>
        <translation>Das Geschriebene ist noch nicht übernommen.</translation>
    </message>
</context>
<context>
    <name>Unattended</name>
    <message numerus="yes">
        <source>%n may still run</source>
        <translation>
            <numerusform>%n läuft vielleicht noch</numerusform>
            <numerusform>%n laufen vielleicht noch</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UndoVerdicts</name>
    <message>
        <source>The last step is still under way.</source>
        <translation type="unfinished">Der letzte Schritt ist noch im Gange.</translation>
    </message>
    <message>
        <source>The run is gone.</source>
        <translation type="unfinished">Den Lauf gibt es nicht mehr.</translation>
    </message>
</context>
<context>
    <name>Undoing</name>
    <message>
        <source>Redo “%1”</source>
        <translation>„%1“ wiederherstellen</translation>
    </message>
    <message>
        <source>Undo again to take back “%1”, done before it.</source>
        <translation>Noch einmal rückgängig nimmt „%1“ zurück, das davor getan wurde.</translation>
    </message>
    <message>
        <source>Undo “%1”</source>
        <translation>„%1“ rückgängig machen</translation>
    </message>
    <message>
        <source>“%1” cannot be taken back: %2.</source>
        <translation>„%1“ kann nicht zurückgenommen werden: %2.</translation>
    </message>
</context>
<context>
    <name>UnfinishedPlurals</name>
    <message numerus="yes">
        <source>%n change(s) not committed</source>
        <translation>
            <numerusform>%n Änderung nicht übernommen</numerusform>
            <numerusform>%n Änderungen nicht übernommen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n plan(s) with unsaved changes</source>
        <translation>
            <numerusform>%n Plan mit ungespeicherten Änderungen</numerusform>
            <numerusform>%n Pläne mit ungespeicherten Änderungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) not finished</source>
        <translation>
            <numerusform>%n Lauf nicht beendet</numerusform>
            <numerusform>%n Läufe nicht beendet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cancel %n run(s)</source>
        <translation>
            <numerusform>%n Lauf abbrechen</numerusform>
            <numerusform>%n Läufe abbrechen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Unsaved</name>
    <message>
        <source>%1 keeps a plan that was not saved, and cannot be read: %2. It stays where it is.</source>
        <translation>%1 bewahrt einen ungespeicherten Plan auf und ist nicht zu lesen: %2. Die Datei bleibt, wo sie ist.</translation>
    </message>
</context>
<context>
    <name>UnsavedDialog</name>
    <message>
        <source>%1; what is in no file would be lost.</source>
        <translation>%1; was in keiner Datei steht, ginge verloren.</translation>
    </message>
    <message>
        <source>Discard changes</source>
        <translation>Änderungen verwerfen</translation>
    </message>
    <message>
        <source>Its changes are in no file yet and would be lost.</source>
        <translation>Die Änderungen stehen noch in keiner Datei und gingen verloren.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save all</source>
        <translation>Alle speichern</translation>
    </message>
    <message>
        <source>Save the plans?</source>
        <translation>Die Pläne speichern?</translation>
    </message>
    <message>
        <source>Save “%1”?</source>
        <translation>„%1“ speichern?</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Bleiben</translation>
    </message>
</context>
<context>
    <name>UnsavedPlurals</name>
    <message numerus="yes">
        <source>Discard %n plan(s)</source>
        <translation>
            <numerusform>%n Plan verwerfen</numerusform>
            <numerusform>%n Pläne verwerfen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Restore %n plan(s)</source>
        <translation>
            <numerusform>%n Plan wiederherstellen</numerusform>
            <numerusform>%n Pläne wiederherstellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Restore %n unsaved plan(s)?</source>
        <translation>
            <numerusform>%n ungespeicherten Plan wiederherstellen?</numerusform>
            <numerusform>%n ungespeicherte Pläne wiederherstellen?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Starloom ended before %n plan(s) could be saved. Restoring runs nothing.</source>
        <translation>
            <numerusform>Starloom endete, bevor %n Plan gespeichert werden konnte. Beim Wiederherstellen wird nichts ausgeführt.</numerusform>
            <numerusform>Starloom endete, bevor %n Pläne gespeichert werden konnten. Beim Wiederherstellen wird nichts ausgeführt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UnsetDialog</name>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Discard what you typed?</source>
        <translation>Geschriebenes verwerfen?</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>It is not set or added yet, and would be lost.</source>
        <translation>Es ist noch nicht gesetzt oder hinzugefügt und ginge verloren.</translation>
    </message>
</context>
<context>
    <name>Verbs</name>
    <message>
        <source>No agent is selected.</source>
        <translation>Kein Agent ist ausgewählt.</translation>
    </message>
    <message>
        <source>No approval is selected.</source>
        <translation>Kein Vorschlag ist ausgewählt.</translation>
    </message>
    <message>
        <source>No device is selected.</source>
        <translation>Kein Gerät ist ausgewählt.</translation>
    </message>
    <message>
        <source>No question is selected.</source>
        <translation>Keine Frage ist ausgewählt.</translation>
    </message>
    <message>
        <source>No task is selected.</source>
        <translation>Keine Aufgabe ist ausgewählt.</translation>
    </message>
    <message>
        <source>Only one task at a time can be rerun.</source>
        <translation>Neu ausführen lässt sich nur eine Aufgabe auf einmal.</translation>
    </message>
    <message>
        <source>There is no run.</source>
        <translation>Es gibt keinen Lauf.</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>%1 done</source>
        <translation>%1 fertig</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>Approval</source>
        <translation>Freigabe</translation>
    </message>
    <message>
        <source>Conditions and retries</source>
        <translation>Bedingungen und Wiederholungen</translation>
    </message>
    <message>
        <source>Firmware and lab</source>
        <translation>Firmware und Labor</translation>
    </message>
    <message>
        <source>First steps</source>
        <translation>Erste Schritte</translation>
    </message>
    <message>
        <source>Never run</source>
        <translation>Nie gelaufen</translation>
    </message>
    <message>
        <source>Parameter sweep</source>
        <translation>Parameterstudie</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Liest …</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Today %1</source>
        <translation>Heute %1</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>five seeds, four steps</source>
        <translation>5 Werte, 4 Schritte</translation>
    </message>
    <message>
        <source>grows while it runs</source>
        <translation>wächst im Lauf</translation>
    </message>
    <message>
        <source>one waits for two</source>
        <translation>eine wartet auf zwei</translation>
    </message>
    <message>
        <source>results decide</source>
        <translation>mit Entscheidungen</translation>
    </message>
    <message>
        <source>three boards, two limits</source>
        <translation>3 Boards, 2 Limits</translation>
    </message>
    <message>
        <source>two wait for your word</source>
        <translation>zwei fragen Sie</translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Forget the recent files; the files themselves stay</source>
        <translation>Die zuletzt geöffneten Dateien vergessen; die Dateien selbst bleiben</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Run task graphs on many devices, and change them while they run.</source>
        <translation>Aufgabengraphen auf vielen Geräten ausführen und ändern, während sie laufen.</translation>
    </message>
    <message>
        <source>or drop a file here</source>
        <translation>oder eine Datei hierher ziehen</translation>
    </message>
</context>
<context>
    <name>WhySection</name>
    <message>
        <source>Blocks</source>
        <translation>Hindert</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Fine</source>
        <translation>In Ordnung</translation>
    </message>
    <message>
        <source>Slack</source>
        <translation>Spielraum</translation>
    </message>
    <message>
        <source>Starts</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>What does it wait for?</source>
        <translation>Worauf wartet sie?</translation>
    </message>
    <message>
        <source>What is foreseen</source>
        <translation>Voraussichtlich</translation>
    </message>
    <message>
        <source>Why did it not run to its end?</source>
        <translation>Warum lief sie nicht bis zum Ende?</translation>
    </message>
    <message>
        <source>Why has it not run?</source>
        <translation>Warum lief sie nicht?</translation>
    </message>
    <message>
        <source>Why is it not running?</source>
        <translation>Warum läuft sie nicht?</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
</context>
<context>
    <name>WindowActions</name>
    <message>
        <source>Add one before you make a run of it.</source>
        <translation>Fügen Sie eine hinzu, bevor Sie einen Lauf davon anlegen.</translation>
    </message>
    <message>
        <source>No plan is in front.</source>
        <translation>Kein Plan ist im Vordergrund.</translation>
    </message>
    <message>
        <source>No run is in front.</source>
        <translation>Kein Lauf ist im Vordergrund.</translation>
    </message>
    <message>
        <source>Nothing is open.</source>
        <translation>Nichts ist offen.</translation>
    </message>
    <message>
        <source>The plan has no file yet.</source>
        <translation>Der Plan hat noch keine Datei.</translation>
    </message>
    <message>
        <source>The plan has no tasks.</source>
        <translation>Der Plan hat keine Aufgaben.</translation>
    </message>
</context>
<context>
    <name>WindowFrame</name>
    <message>
        <source>Everything has this size from the next start of Starloom on.</source>
        <translation>Alles hat diese Größe vom nächsten Start von Starloom an.</translation>
    </message>
    <message>
        <source>Starloom speaks this language from its next start on.</source>
        <translation>Starloom spricht diese Sprache ab dem nächsten Start.</translation>
    </message>
</context>
<context>
    <name>WithoutTab</name>
    <message>
        <source>%1 has created “%2”, which is not started.</source>
        <translation>%1 hat „%2“ angelegt, der Lauf ist nicht gestartet.</translation>
    </message>
    <message>
        <source>%1 has started “%2”.</source>
        <translation>%1 hat „%2“ gestartet.</translation>
    </message>
    <message>
        <source>%1 has submitted “%2”, which runs here.</source>
        <translation>%1 hat „%2“ eingereicht, was hier läuft.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open again</source>
        <translation>Wieder öffnen</translation>
    </message>
    <message>
        <source>Somebody has created “%1”, which is not started.</source>
        <translation>Jemand hat „%1“ angelegt, der Lauf ist nicht gestartet.</translation>
    </message>
    <message>
        <source>Somebody has started “%1”.</source>
        <translation>Jemand hat „%1“ gestartet.</translation>
    </message>
    <message>
        <source>“%1” goes on at the server.</source>
        <translation>„%1“ geht beim Server weiter.</translation>
    </message>
    <message>
        <source>“%1” goes on without its tab. History (%2) opens it again, too.</source>
        <translation>„%1“ läuft ohne Reiter weiter. Auch der Verlauf (%2) öffnet ihn wieder.</translation>
    </message>
    <message>
        <source>“%1” stays paused without its tab. History (%2) opens it again, too.</source>
        <translation>„%1“ bleibt auch ohne Reiter angehalten. Auch der Verlauf (%2) öffnet ihn wieder.</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>%1 d</source>
        <translation>%1 d</translation>
    </message>
    <message>
        <source>%1 d %2</source>
        <translation>%1 d %2</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 kB</source>
        <translation>%1 kB</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2 cancelled</source>
        <translation>%1, %2 abgebrochen</translation>
    </message>
    <message>
        <source>%1, %2 only simulated</source>
        <translation>%1, %2 nur simuliert</translation>
    </message>
    <message>
        <source>1,234.5</source>
        <translation>1.234,5</translation>
    </message>
    <message>
        <source>Add device</source>
        <translation>Gerät hinzufügen</translation>
    </message>
    <message>
        <source>Add editing agent</source>
        <translation>Bearbeitenden Agenten hinzufügen</translation>
    </message>
    <message>
        <source>Answer approval</source>
        <translation>Vorschlag beantworten</translation>
    </message>
    <message>
        <source>Answer gate</source>
        <translation>Freigabe beantworten</translation>
    </message>
    <message>
        <source>Answer question</source>
        <translation>Frage beantworten</translation>
    </message>
    <message>
        <source>As at the run&apos;s end, %1: its journal tells nothing later of devices and limits.</source>
        <translation>Wie am Ende des Laufs, %1: Sein Journal erzählt von Geräten und Limits nichts Späteres.</translation>
    </message>
    <message>
        <source>Break reservation</source>
        <translation>Reservierung aufheben</translation>
    </message>
    <message>
        <source>Breakpoint</source>
        <translation>Haltepunkt</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Bypass</source>
        <translation>Überbrücken</translation>
    </message>
    <message>
        <source>Bypassed</source>
        <translation>Überbrückt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel run</source>
        <translation>Lauf abbrechen</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Change limits</source>
        <translation>Limits ändern</translation>
    </message>
    <message>
        <source>Change what waits for agents</source>
        <translation>Ändern, was auf Agenten wartet</translation>
    </message>
    <message>
        <source>Change what waits for approval</source>
        <translation>Ändern, was auf Genehmigung wartet</translation>
    </message>
    <message>
        <source>Clear breakpoint</source>
        <translation>Haltepunkt entfernen</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Verbindet</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>Angelegt</translation>
    </message>
    <message>
        <source>Detach agent</source>
        <translation>Agent entlassen</translation>
    </message>
    <message>
        <source>Disable</source>
        <translation>Abschalten</translation>
    </message>
    <message>
        <source>Disabled</source>
        <translation>Abgeschaltet</translation>
    </message>
    <message>
        <source>Disconnected</source>
        <translation>Getrennt</translation>
    </message>
    <message>
        <source>Do not bypass</source>
        <translation>Nicht überbrücken</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Drain</source>
        <translation>Leerlaufen lassen</translation>
    </message>
    <message>
        <source>Drained</source>
        <translation>Leergelaufen</translation>
    </message>
    <message>
        <source>Draining</source>
        <translation>Läuft leer</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Enable</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>End reservation</source>
        <translation>Reservierung beenden</translation>
    </message>
    <message>
        <source>Executing</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Failed, a warning</source>
        <translation>Fehlgeschlagen (Warnung)</translation>
    </message>
    <message>
        <source>Fri</source>
        <translation>Fr</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>Zurückgehalten</translation>
    </message>
    <message>
        <source>Hold</source>
        <translation>Zurückhalten</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
    <message>
        <source>Keep run open</source>
        <translation>Lauf offen halten</translation>
    </message>
    <message>
        <source>Limit group</source>
        <translation>Limitgruppe begrenzen</translation>
    </message>
    <message>
        <source>Limit run</source>
        <translation>Lauf begrenzen</translation>
    </message>
    <message>
        <source>Mark as ended</source>
        <translation>Als beendet markieren</translation>
    </message>
    <message>
        <source>Mon</source>
        <translation>Mo</translation>
    </message>
    <message>
        <source>Never begun</source>
        <translation>Nie begonnen</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>Nicht gestartet</translation>
    </message>
    <message>
        <source>Nothing done</source>
        <translation>Nichts erledigt</translation>
    </message>
    <message>
        <source>On trial</source>
        <translation>Auf Probe</translation>
    </message>
    <message>
        <source>Partially failed</source>
        <translation>Teils fehlgeschlagen</translation>
    </message>
    <message>
        <source>Pause agent</source>
        <translation>Agent anhalten</translation>
    </message>
    <message>
        <source>Pause run</source>
        <translation>Lauf anhalten</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Pin to device</source>
        <translation>Auf Gerät festlegen</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Release</source>
        <translation>Loslassen</translation>
    </message>
    <message>
        <source>Remove device</source>
        <translation>Gerät entfernen</translation>
    </message>
    <message>
        <source>Rerun from here</source>
        <translation>Ab hier wiederholen</translation>
    </message>
    <message>
        <source>Reserve</source>
        <translation>Reservieren</translation>
    </message>
    <message>
        <source>Resume agent</source>
        <translation>Agent weitermachen lassen</translation>
    </message>
    <message>
        <source>Resume run</source>
        <translation>Lauf fortsetzen</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Run everything</source>
        <translation>Alles ausführen</translation>
    </message>
    <message>
        <source>Run until here</source>
        <translation>Bis hier ausführen</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Sat</source>
        <translation>Sa</translation>
    </message>
    <message>
        <source>Set breakpoint</source>
        <translation>Haltepunkt setzen</translation>
    </message>
    <message>
        <source>Set priority</source>
        <translation>Priorität setzen</translation>
    </message>
    <message>
        <source>Set slots</source>
        <translation>Plätze festlegen</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>Übersprungen</translation>
    </message>
    <message>
        <source>Start run</source>
        <translation>Lauf starten</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Ein Schritt</translation>
    </message>
    <message>
        <source>Stop draining</source>
        <translation>Nicht mehr leerlaufen lassen</translation>
    </message>
    <message>
        <source>Sun</source>
        <translation>So</translation>
    </message>
    <message>
        <source>Suspended</source>
        <translation>Ausgesetzt</translation>
    </message>
    <message>
        <source>Thu</source>
        <translation>Do</translation>
    </message>
    <message>
        <source>Try again now</source>
        <translation>Jetzt wieder versuchen</translation>
    </message>
    <message>
        <source>Tue</source>
        <translation>Di</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>Unlesbar</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Wed</source>
        <translation>Mi</translation>
    </message>
    <message>
        <source>agent ended</source>
        <translation>Agent endete</translation>
    </message>
    <message>
        <source>agent gave up</source>
        <translation>Agent gab auf</translation>
    </message>
    <message>
        <source>background</source>
        <translation>Hintergrund</translation>
    </message>
    <message>
        <source>could not start</source>
        <translation>konnte nicht starten</translation>
    </message>
    <message>
        <source>critical</source>
        <translation>kritisch</translation>
    </message>
    <message>
        <source>device lost</source>
        <translation>Gerät verloren</translation>
    </message>
    <message>
        <source>exception</source>
        <translation>Ausnahme</translation>
    </message>
    <message>
        <source>exit code</source>
        <translation>Exit-Code</translation>
    </message>
    <message>
        <source>high</source>
        <translation>hoch</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>unvollständig</translation>
    </message>
    <message>
        <source>input missing</source>
        <translation>Eingabe fehlt</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>low</source>
        <translation>niedrig</translation>
    </message>
    <message>
        <source>marked</source>
        <translation>markiert</translation>
    </message>
    <message>
        <source>normal</source>
        <translation>normal</translation>
    </message>
    <message>
        <source>not stopped</source>
        <translation>nicht gestoppt</translation>
    </message>
    <message>
        <source>nouns in small letters</source>
        <translation>Hauptwörter groß</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>result does not fit</source>
        <translation>Ergebnis passt nicht</translation>
    </message>
    <message>
        <source>result not JSON</source>
        <translation>Ergebnis kein JSON</translation>
    </message>
    <message>
        <source>result too large</source>
        <translation>Ergebnis zu groß</translation>
    </message>
    <message>
        <source>simulated failure</source>
        <translation>simulierter Fehler</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>Zeit überschritten</translation>
    </message>
    <message>
        <source>unsupported</source>
        <translation>nicht unterstützt</translation>
    </message>
</context>
<context>
    <name>Workbench</name>
    <message>
        <source>Put it back</source>
        <translation>Zurücklegen</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>The graph is in a window of its own.</source>
        <translation>Der Graph ist in einem eigenen Fenster.</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>Werkzeugleiste</translation>
    </message>
</context>
<context>
    <name>WrittenStrip</name>
    <message>
        <source>%1 was written</source>
        <translation>%1 wurde geschrieben</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Put this away</source>
        <translation>Weglegen</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>Ordner zeigen</translation>
    </message>
    <message>
        <source>Show it in whatever program the system has for it</source>
        <translation>Es in dem Programm zeigen, das das System dafür hat</translation>
    </message>
    <message>
        <source>Show the folder it lies in</source>
        <translation>Den Ordner zeigen, in dem es liegt</translation>
    </message>
    <message>
        <source>There is no program that opens %1</source>
        <translation>Kein Programm öffnet %1</translation>
    </message>
</context>
<context>
    <name>YamlPane</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy this text, e.g. into a plan file</source>
        <translation>Diesen Text kopieren, z. B. in eine Plandatei</translation>
    </message>
    <message>
        <source>Nothing is open.</source>
        <translation>Nichts ist geöffnet.</translation>
    </message>
    <message>
        <source>Read-only: edit in the Inspector (%1).</source>
        <translation>Nur lesbar: im Inspektor bearbeiten (%1).</translation>
    </message>
    <message>
        <source>The first %1 of %2</source>
        <translation>Die ersten %1 von %2</translation>
    </message>
    <message>
        <source>The whole plan</source>
        <translation>Der ganze Plan</translation>
    </message>
    <message>
        <source>What is selected, as YAML</source>
        <translation>Was ausgewählt ist, als YAML</translation>
    </message>
</context>
<context>
    <name>ZoomBox</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Fit the whole graph</source>
        <translation>Den ganzen Graphen einpassen</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
</context>
<context>
    <name>_NoticePlurals</name>
    <message numerus="yes">
        <source>%n done</source>
        <translation>
            <numerusform>%n fertig</numerusform>
            <numerusform>%n fertig</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n fehlgeschlagen</numerusform>
            <numerusform>%n fehlgeschlagen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s)</source>
        <translation>
            <numerusform>%n Vorschlag</numerusform>
            <numerusform>%n Vorschläge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) failed</source>
        <translation>
            <numerusform>%n Aufgabe fehlgeschlagen</numerusform>
            <numerusform>%n Aufgaben fehlgeschlagen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) print nothing</source>
        <translation>
            <numerusform>%n Aufgabe gibt nichts aus</numerusform>
            <numerusform>%n Aufgaben geben nichts aus</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) ran there</source>
        <translation>
            <numerusform>%n Aufgabe lief dort</numerusform>
            <numerusform>%n Aufgaben liefen dort</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) run(s|) there</source>
        <translation>
            <numerusform>%n Aufgabe läuft dort</numerusform>
            <numerusform>%n Aufgaben laufen dort</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s) of tasks</source>
        <translation>
            <numerusform>%n Warnung von Aufgaben</numerusform>
            <numerusform>%n Warnungen von Aufgaben</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Plurals</name>
    <message numerus="yes">
        <source>… %n equal line(s)</source>
        <translation>
            <numerusform>… %n gleiche Zeile</numerusform>
            <numerusform>… %n gleiche Zeilen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_SpokenPlurals</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>needed by %n task(s)</source>
        <translation>
            <numerusform>gebraucht von %n Aufgabe</numerusform>
            <numerusform>gebraucht von %n Aufgaben</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Words</name>
    <message>
        <source>Edit %1</source>
        <translation>%1 bearbeiten</translation>
    </message>
    <message numerus="yes">
        <source>Edit %n task(s)</source>
        <translation>
            <numerusform>%n Aufgabe bearbeiten</numerusform>
            <numerusform>%n Aufgaben bearbeiten</numerusform>
        </translation>
    </message>
</context>
</TS>
