"""The errors of attempts and devices as texts to translate.

The places are those of `engine_sentences`, whose parts these are.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP

ATTEMPT_ERRORS: Final = (
    # how a process ended
    QT_TRANSLATE_NOOP("Engine", "exit code %1"),
    QT_TRANSLATE_NOOP("Engine", "killed by %1"),
    QT_TRANSLATE_NOOP("Engine", "It was stopped after its timeout of %1."),
    QT_TRANSLATE_NOOP("Engine", "Device %1 was lost while it ran."),
    QT_TRANSLATE_NOOP("Engine", "The attempt was stopped from outside."),
    QT_TRANSLATE_NOOP("Engine", "The program that ran it ended before it did."),
    QT_TRANSLATE_NOOP("Engine", "its device could not be reached"),
    QT_TRANSLATE_NOOP("Engine", "The system could not end the processes %1."),
    QT_TRANSLATE_NOOP("Engine", "Not everything could be ended in %1: %2."),
    QT_TRANSLATE_NOOP(
        "Engine", "When the attempt ended its files were not in %1; a result that it wrote there is lost."
    ),
    QT_TRANSLATE_NOOP("Engine", "%1 So whether and how the command has ended is not known."),
    QT_TRANSLATE_NOOP("Engine", "%1 So what its function has returned is not known."),
    QT_TRANSLATE_NOOP("Engine", "The output of the attempt can be read no more: %1."),
    QT_TRANSLATE_NOOP("Engine", "The marker %1 of the attempt has gone."),
    QT_TRANSLATE_NOOP("Engine", "The files of the attempt can be read no more: %1."),
    QT_TRANSLATE_NOOP("Engine", "When it ended the output file %1 had gone."),
    QT_TRANSLATE_NOOP("Engine", "The output file %1 is not complete: %2."),
    QT_TRANSLATE_NOOP("Engine", "Simulated failure of attempt %1: %2."),
    QT_TRANSLATE_NOOP("Engine", "device %1 lets %2 of the attempts fail"),
    QT_TRANSLATE_NOOP("Engine", "the first %1 are to fail"),
    QT_TRANSLATE_NOOP("Engine", "the task is to fail"),
    QT_TRANSLATE_NOOP("Engine", "Device %1 failed: %2"),
    QT_TRANSLATE_NOOP(
        "Engine",
        "%1 tasks in a row failed there within %2, the last one with exit code %3, and other devices take them",
    ),
    # why one could not start
    QT_TRANSLATE_NOOP("Engine", "The program %1 was not found; check its name, or that its directory is in PATH."),
    QT_TRANSLATE_NOOP(
        "Engine", "The program %1 was not found; check the path, and the interpreter its first line names."
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "The program %1 was not found on the other machine; check its name and the PATH there."
    ),
    QT_TRANSLATE_NOOP("Engine", "The program %1 cannot be executed; check its permissions (`chmod +x`)."),
    QT_TRANSLATE_NOOP("Engine", "The program %1 cannot be started: %2."),
    QT_TRANSLATE_NOOP("Engine", "The program %1 cannot be started: its arguments or environment hold %2."),
    QT_TRANSLATE_NOOP(
        "Engine", "The working directory %1 does not exist or is no directory; create it or change `cwd`."
    ),
    QT_TRANSLATE_NOOP("Engine", "The working directory %1 cannot be entered: %2."),
    QT_TRANSLATE_NOOP("Engine", "the system does not know how to run it; a script needs a first line like #!/bin/sh"),
    QT_TRANSLATE_NOOP(
        "Engine", "its arguments and environment are longer than the system allows; pass large values in files"
    ),
    QT_TRANSLATE_NOOP("Engine", "this program has too many files open; run fewer tasks at once or raise `ulimit -n`"),
    QT_TRANSLATE_NOOP("Engine", "the system has too many files open"),
    QT_TRANSLATE_NOOP(
        "Engine", "the system allows no more processes now; run fewer tasks at once or raise `ulimit -u`"
    ),
    QT_TRANSLATE_NOOP("Engine", "there is not enough memory"),
    QT_TRANSLATE_NOOP("Engine", "The directory for the attempt's files cannot be made: %1."),
    QT_TRANSLATE_NOOP("Engine", "The files of the attempt cannot be written here: %1."),
    QT_TRANSLATE_NOOP("Engine", "The marker %1 cannot be written (%2), and without it nothing is run."),
    QT_TRANSLATE_NOOP("Engine", "nobody knows why"),
    QT_TRANSLATE_NOOP("Engine", "The command's wrapper could not run it: %1."),
    QT_TRANSLATE_NOOP("Engine", "Device %1 is not connected; connect it first."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Device %1 is local and runs command, shell, python and simulate, not %2; give the task %3 (`device`, or "
        "a capability in `requires`).",
    ),
    QT_TRANSLATE_NOOP("Engine", "Device %1 is an agent and runs prompts, not %2; give the task another device."),
    QT_TRANSLATE_NOOP("Engine", "Device %1, reached over SSH, does not run %2."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Device %1 runs command, shell and simulate, not python; give the task a local device, or a command like "
        "`python3 -m module` with the module in that system.",
    ),
    QT_TRANSLATE_NOOP("Engine", "an in-process device of the host program that registered the handler"),
    QT_TRANSLATE_NOOP("Engine", "an agent device"),
    QT_TRANSLATE_NOOP("Engine", "a local device, or another one that starts programs,"),
    QT_TRANSLATE_NOOP("Engine", "The in-process device %1 cannot do %2 tasks; %3 can."),
    QT_TRANSLATE_NOOP("Engine", "Device %1 has no handler %2; none is registered. The host program registers them."),
    QT_TRANSLATE_NOOP("Engine", "Device %1 has no handler %2. It knows %3."),
    QT_TRANSLATE_NOOP("Engine", "Device %1 has no handler %2. Did you mean %3? It knows %4."),
    # what it returned, and what it was to read
    QT_TRANSLATE_NOOP("Engine", "The result is not JSON: %1."),
    QT_TRANSLATE_NOOP("Engine", "The result is nested more than %1 levels deep. Flatten it, or write it to a file."),
    QT_TRANSLATE_NOOP("Engine", "The result is %1 bytes of JSON; at most %2 are kept. Write it to a file."),
    QT_TRANSLATE_NOOP("Engine", "What the task wrote to $STARLOOM_RESULT is not JSON (NaN and Infinity are not)."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "What the task wrote to $STARLOOM_RESULT is larger than %1 MiB; keep large data in files and return their "
        "names.",
    ),
    QT_TRANSLATE_NOOP("Engine", "$STARLOOM_RESULT cannot be read: %1."),
    QT_TRANSLATE_NOOP("Engine", "%1 returned a %2 that is not JSON: %3."),
    QT_TRANSLATE_NOOP("Engine", "The task's inputs are not JSON: %1."),
    QT_TRANSLATE_NOOP("Engine", "%1: there is no task %2 whose result can be used here."),
    QT_TRANSLATE_NOOP("Engine", "%1: %2 is no path into the %3 of task %4; write .name, .0 or [0]."),
    QT_TRANSLATE_NOOP("Engine", "%1: the %2 of task %3 has no %4; it has %5."),
    QT_TRANSLATE_NOOP("Engine", "%1: the %2 of task %3 has no item %4; it is a list of %5."),
    QT_TRANSLATE_NOOP("Engine", "%1: the %2 of task %3 has no item %4; it is a list of %5, counted from 0."),
    QT_TRANSLATE_NOOP("Engine", "%1: the %2 of task %3 is %4, so it has no %5."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "%1 would hold a NUL character once %2 is replaced, which no program can be given; pass the value through "
        "`inputs` or the file that $STARLOOM_UPSTREAM names.",
    ),
    QT_TRANSLATE_NOOP("Engine", "The value is nested deeper than %1 levels; make it flatter."),
    QT_TRANSLATE_NOOP("Engine", "The %1 has not been given within %2 s. Is the keyring unlocked, the disk there?"),
    QT_TRANSLATE_NOOP(
        "Engine", "The %1 cannot be the value of a variable: it holds a NUL character or more than %2 bytes."
    ),
    QT_TRANSLATE_NOOP("Engine", "The %1 cannot be the value of a variable: it has more than %2 bytes."),
    QT_TRANSLATE_NOOP("Engine", "The %1 is empty."),
    QT_TRANSLATE_NOOP("Engine", "The %1 cannot be read: %2 (%3)."),
    QT_TRANSLATE_NOOP("Engine", "The %1 is no text in UTF-8."),
    QT_TRANSLATE_NOOP(
        "Engine", "The %1 needs the package keyring, which is not installed: pip install 'starloom[secrets]'."
    ),
    QT_TRANSLATE_NOOP("Engine", "The %1 cannot be had from the keyring: %2."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "There is no %1: this program was started without the variable %2. Set it, for example with `read -rs %3 "
        "&& export %4`, and start Starloom again.",
    ),
    QT_TRANSLATE_NOOP("Engine", "There is no %1: the keyring has nothing of that name. Put it there with: %2"),
    QT_TRANSLATE_NOOP("Engine", "The file %1 cannot be read: %2."),
    QT_TRANSLATE_NOOP("Engine", "The file %1 cannot be written: %2."),
    QT_TRANSLATE_NOOP("Engine", "The file %1 cannot be read on the other machine: %2."),
    QT_TRANSLATE_NOOP("Engine", "The file %1 cannot be written on the other machine: %2."),
    QT_TRANSLATE_NOOP("Engine", "The file %1 lies outside %2; give a path in that folder."),
    QT_TRANSLATE_NOOP("Engine", "%1 is no file; have it packed into one, say with tar."),
    QT_TRANSLATE_NOOP("Engine", "there is no such file"),
    QT_TRANSLATE_NOOP("Engine", "it is not a regular file"),
    # why a device is lost or refused
    QT_TRANSLATE_NOOP("Engine", "no sign of life for %1 heartbeats of %2 s"),
    QT_TRANSLATE_NOOP("Engine", "an attempt was lost"),
    QT_TRANSLATE_NOOP("Engine", "The simulated device %1 went away."),
    QT_TRANSLATE_NOOP("Engine", "The simulated device %1 is lost; restore() brings it back."),
    QT_TRANSLATE_NOOP("Engine", "The simulated device %1 refused the connection; %2 more."),
    QT_TRANSLATE_NOOP("Engine", "Device %1 cannot be reached: %2"),
    QT_TRANSLATE_NOOP("Engine", "Device %1 cannot be reached: %2 ended with %3: %4."),
    QT_TRANSLATE_NOOP("Engine", "Device %1 does not answer within %2 s."),
    QT_TRANSLATE_NOOP("Engine", "Device %1 cannot make a folder for its files: %2."),
    QT_TRANSLATE_NOOP(
        "Engine", "The machine %1 cannot be reached: %2. Check its name and port, and that its SSH server runs."
    ),
    QT_TRANSLATE_NOOP("Engine", "The machine %1 does not answer within %2 s; check its name, port and firewall."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The machine %1 does not let %2 in: it accepts none of %3. Add the public key to the user's "
        "~/.ssh/authorized_keys there, or name another key or user.",
    ),
    QT_TRANSLATE_NOOP("Engine", "this user"),
    QT_TRANSLATE_NOOP(
        "Engine", "A key for %1 cannot be used: %2. If it has a passphrase, add it to the key agent (`ssh-add`)."
    ),
    QT_TRANSLATE_NOOP("Engine", "The key %1 for %2 cannot be read: %3."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The machine %1 and this program know no common way to talk, or it has no host key of the kind it is "
        "known by in %2: %3.",
    ),
    QT_TRANSLATE_NOOP("Engine", "The link to %1 broke: %2."),
    QT_TRANSLATE_NOOP("Engine", "The link to %1 failed: %2: %3."),
    QT_TRANSLATE_NOOP("Engine", "The link to %1 was let go."),
    QT_TRANSLATE_NOOP("Engine", "The link is down, and what runs at its other end cannot be told to stop."),
    QT_TRANSLATE_NOOP("Engine", "the shell there went away"),
    QT_TRANSLATE_NOOP("Engine", "The link broke while the task was being started; it never began."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The command was interrupted from outside, or its machine was started anew; how it ended is not known.",
    ),
    QT_TRANSLATE_NOOP("Engine", "The Dask scheduler at %1 cannot be reached: %2"),
    QT_TRANSLATE_NOOP("Engine", "The Dask worker %1 of %2 has gone."),
    QT_TRANSLATE_NOOP("Engine", "The Dask worker at %1 went away."),
    QT_TRANSLATE_NOOP("Engine", "The connection to the Dask scheduler broke."),
    QT_TRANSLATE_NOOP("Engine", "There is no connection to the Dask scheduler at %1."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Device %1 is a Dask worker and runs command, shell, python and simulate, not %2; give the task %3 "
        "(`device`, or a capability in `requires`).",
    ),
    # what models say of their tasks
    QT_TRANSLATE_NOOP(
        "Engine", "The model %1 at %2 was silent for too long; ask it by hand, or give it a longer `silence`."
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "The model %1 at %2 fell silent in the middle; ask it by hand, or give it a longer `silence`."
    ),
    QT_TRANSLATE_NOOP("Engine", "The model %1 at %2 broke off in the middle: the connection was closed."),
    QT_TRANSLATE_NOOP("Engine", "The model %1 at %2 broke off in the middle: %3."),
    QT_TRANSLATE_NOOP("Engine", "The model %1 at %2 gave up in the middle: %3."),
    QT_TRANSLATE_NOOP("Engine", "The model %1 at %2 sends something that is no chat completion: %3."),
    QT_TRANSLATE_NOOP("Engine", "The model %1 at %2 answers with no stream of chat completions, but with %3."),
    QT_TRANSLATE_NOOP("Engine", "The model sends a line of more than %1 MiB; it was given up."),
    QT_TRANSLATE_NOOP("Engine", "The model refuses to do this task: %1."),
    QT_TRANSLATE_NOOP(
        "Engine", "The model stopped in the middle, as it had used up all the tokens it may use; ask for less."
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "The model's endpoint has cut the answer off by its content filter; word the prompt otherwise."
    ),
    QT_TRANSLATE_NOOP("Engine", "The model wants to use tools, and is given none here; ask it to answer in words."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "What the model %1 was given is longer than its context: %2. Shorten the prompt, or have earlier tasks return "
        "less.",
    ),
    QT_TRANSLATE_NOOP("Engine", "The quota at %1 is used up: %2. Raise it, or wait."),
    QT_TRANSLATE_NOOP("Engine", "%1 cannot be reached: %2. Start it, or correct its address."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "%1 cannot be reached: no answer within %2 s. Check that it runs, its address, and that no firewall keeps it "
        "away.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "%1 cannot be reached: no machine is known by the name %2 (%3). Correct the name, or check the network.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The certificate of %1 is not trusted here: %2. Add its authority to those of this system, or name the file "
        "with that in SSL_CERT_FILE; or correct the address.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "What answers at %1 speaks no TLS (%2). Correct the port, or write http:// where that is meant."
    ),
    QT_TRANSLATE_NOOP("Engine", "%1 wants a key (%2). Put it into the keyring with `keyring set %3`, or into %4."),
    QT_TRANSLATE_NOOP(
        "Engine", "%1 does not take the key (%2). Put it into the keyring with `keyring set %3`, or into %4."
    ),
    QT_TRANSLATE_NOOP("Engine", "There is no model %1 at %2 (404: %3). Correct `model` or `url` of the device."),
    QT_TRANSLATE_NOOP(
        "Engine", "%1 answers with %2: it has moved, and prompts are not sent on. Correct `url` of the device."
    ),
    QT_TRANSLATE_NOOP("Engine", "%1 answers with %2: %3."),
    # what agents say of their tasks
    QT_TRANSLATE_NOOP("Engine", "The agent did not begin. %1"),
    QT_TRANSLATE_NOOP("Engine", "The agent broke off. %1"),
    QT_TRANSLATE_NOOP("Engine", "The agent broke off before it began. %1"),
    QT_TRANSLATE_NOOP("Engine", "The agent gave the task up: %1."),
    QT_TRANSLATE_NOOP(
        "Engine", "The agent stopped in the middle, as it had used up all the tokens it may use; give it less."
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "The agent stopped in the middle, as it had asked its model as often as it may; give it less."
    ),
    QT_TRANSLATE_NOOP("Engine", "The agent refuses to do this task."),
    QT_TRANSLATE_NOOP("Engine", "The agent says that it was told to stop, and nobody here has told it."),
    QT_TRANSLATE_NOOP("Engine", "The agent stopped for a reason that is not known here: %1."),
    QT_TRANSLATE_NOOP("Engine", "The agent's last message has more than %1 MiB; have it write files instead."),
    QT_TRANSLATE_NOOP(
        "Engine", "The agent's last message does not end with JSON, which the task expects; ask for it in the prompt."
    ),
    QT_TRANSLATE_NOOP("Engine", "The JSON at the end of the agent's last message does not fit the task's schema: %1."),
    QT_TRANSLATE_NOOP(
        "Engine", "The JSON at the end of the agent's last message does not fit the task's schema at %1: %2."
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Whether the JSON at the end of the agent's last message fits the task's schema was not found out within %1 s; "
        "simplify the schema's patterns, and its parts that refer to others.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "The task's schema cannot be checked, as the process for that broke off; simplify the schema."
    ),
    QT_TRANSLATE_NOOP("Engine", "The task's schema cannot be checked: %1"),
    QT_TRANSLATE_NOOP("Engine", "The link to the agent broke while it worked."),
    QT_TRANSLATE_NOOP("Engine", "The agent cannot be started on the other machine: %1"),
    QT_TRANSLATE_NOOP(
        "Engine", "The program was started, and is no agent of the Agent Client Protocol: %1. It printed %2."
    ),
    QT_TRANSLATE_NOOP("Engine", "The program was started, and is no agent of the Agent Client Protocol: %1."),
    QT_TRANSLATE_NOOP("Engine", "it ended before it answered"),
    QT_TRANSLATE_NOOP("Engine", "it did not answer within %1 s"),
    QT_TRANSLATE_NOOP(
        "Engine",
        "It closed its input or its output and did not end, so nothing more can be said to it or heard from it.",
    ),
    QT_TRANSLATE_NOOP("Engine", "Its process ended."),
    QT_TRANSLATE_NOOP("Engine", "Its process ended with %1."),
    QT_TRANSLATE_NOOP("Engine", "Its process ended with %1. Its last words: %2"),
    QT_TRANSLATE_NOOP("Engine", "Its process ended. Its last words: %1"),
    QT_TRANSLATE_NOOP("Engine", "The agent's process ended before it answered."),
    QT_TRANSLATE_NOOP("Engine", "The agent's process ended before it began."),
    QT_TRANSLATE_NOOP("Engine", "The agent's process ended with exit code %1 before it answered."),
    QT_TRANSLATE_NOOP("Engine", "The agent's process ended with exit code %1 before it began."),
    QT_TRANSLATE_NOOP("Engine", "The agent's process was killed (signal %1) before it answered."),
    QT_TRANSLATE_NOOP("Engine", "The agent's process was killed (signal %1) before it began."),
    QT_TRANSLATE_NOOP("Engine", "%1 Its last words: %2"),
    QT_TRANSLATE_NOOP("Engine", "It was ended there."),
    QT_TRANSLATE_NOOP("Engine", "The agent may still work there; it is ended as soon as its machine is reached again."),
    QT_TRANSLATE_NOOP("Engine", "Its connection was closed, by which its server cancels it."),
    QT_TRANSLATE_NOOP("Engine", "%1 The agent may still work: the protocol does not tell whether it has stopped."),
    QT_TRANSLATE_NOOP("Engine", "The agent's server broke off. %1"),
    QT_TRANSLATE_NOOP("Engine", "The agent's server reports an error: %1."),
    QT_TRANSLATE_NOOP("Engine", "The agent's server ended another task (%1) than it was given."),
    QT_TRANSLATE_NOOP("Engine", "The agent's server ended the task in a way that is not known here: %1."),
    QT_TRANSLATE_NOOP("Engine", "The server did not take the task: %1."),
    QT_TRANSLATE_NOOP("Engine", "The agent's server answers no heartbeats; it was last heard %1 s ago."),
    QT_TRANSLATE_NOOP("Engine", "The connection to the agent's server is gone."),
    QT_TRANSLATE_NOOP("Engine", "The UFO server says that its agent %1 is not there any more."),
    QT_TRANSLATE_NOOP("Engine", "The connection broke off."),
    QT_TRANSLATE_NOOP("Engine", "The server closed the connection (%1)."),
    QT_TRANSLATE_NOOP("Engine", "The server did not answer the pings of the connection any more."),
    QT_TRANSLATE_NOOP("Engine", "It sent what is no message of the protocol (%1): %2."),
    QT_TRANSLATE_NOOP("Engine", "It sent a message of more than %1, which no message may have."),
    QT_TRANSLATE_NOOP("Engine", "What it has to be told takes %1 bytes, more than the %2 of a message."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "What the parents have left has more than %1 MiB, and this agent is given it as text. Have them return what "
        "is needed of it.",
    ),
    QT_TRANSLATE_NOOP("Engine", "The %1 of %2 is no text in UTF-8, and this agent is given it as text."),
    QT_TRANSLATE_NOOP("Engine", "The UFO server at %1 does not answer within %2 s."),
    QT_TRANSLATE_NOOP("Engine", "The UFO server at %1 cannot be reached: %2. Check the address, and that it runs."),
    QT_TRANSLATE_NOOP("Engine", "The UFO server at %1 did not register %2: %3."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The UFO server at %1 answered the registration with %2, which is not known here; it may be newer than what "
        "is spoken here.",
    ),
    QT_TRANSLATE_NOOP("Engine", "The UFO server at %1 refuses the connection; check the option `token`. %2"),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The UFO server at %1 lets nobody in with this token (HTTP status %2); it printed its key at its start: keep "
        "it where the option `token` says.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The UFO server at %1 lets nobody in without a token (HTTP status %2); it printed its key at its start: keep "
        "it where the option `token` says.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The UFO server at %1 does not take the connection (HTTP status %2); check the path of its address, which is "
        "/ws mostly.",
    ),
    QT_TRANSLATE_NOOP("Engine", "The certificate of %1 is not trusted here: %2."),
    QT_TRANSLATE_NOOP("Engine", "What answers at %1 is no UFO server: %2."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Device %1: url is no address of a WebSocket; give it the server's address, like ws://localhost:5000/ws.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Device %1: url holds a token or password, which would be written down with it. Leave it out there, and name "
        "where it is kept in `token`, as keyring:NAME or env:NAME.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Device %1: token says where the token is kept, not what it is: write keyring:NAME or env:NAME.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Device %1: url is ws://, so what is said to %2 can be read and changed by others on its way. Use wss://, or "
        "ws://localhost through an SSH tunnel; or set `plaintext: true` where that is no harm.",
    ),
    QT_TRANSLATE_NOOP("Engine", "secret %1:%2"),
    QT_TRANSLATE_NOOP("Engine", "The group %1 runs nothing itself; give %2 to a member."),
    QT_TRANSLATE_NOOP("Engine", "The group %1 is not reached yet."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "There is no Python %1 on the other machine, which is needed to set a variable whose name is the shell's "
        "own or none to it; choose another name, or set the device's option `python`.",
    ),
    QT_TRANSLATE_NOOP("Engine", "The files of the attempt cannot be made in %1 on the other machine; %2"),
    QT_TRANSLATE_NOOP(
        "Engine", "The marker cannot be made in %1 on the other machine, and without it nothing is run; %2"
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "The shell of the other machine did not do as it was told; its user needs a POSIX /bin/sh."
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "perhaps its disk is full or read-only, or a quota is used up: make room, or name another `state_directory`.",
    ),
    QT_TRANSLATE_NOOP("Engine", "The file %1 of another attempt is in the way."),
    # defects of the program
    QT_TRANSLATE_NOOP("Engine", "It failed: %1: %2. This is a defect."),
    QT_TRANSLATE_NOOP("Engine", "The scheduler failed and stopped: %1. This is a defect."),
    QT_TRANSLATE_NOOP("Engine", "A turn could not be carried out: %1. This is a defect."),
)
"""Each as the sources of the engine have it."""
