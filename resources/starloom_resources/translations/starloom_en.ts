<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AddDeviceDialog</name>
    <message numerus="yes">
        <source>%n task(s) of runs that go on could be given to it now, and would count as done without having run.</source>
        <translation>
            <numerusform>%n task of runs that go on could be given to it now, and would count as done without having run.</numerusform>
            <numerusform>%n tasks of runs that go on could be given to it now, and would count as done without having run.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AgentCounts</name>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n session</numerusform>
            <numerusform>%n sessions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AgentPlurals</name>
    <message numerus="yes">
        <source>%n given up</source>
        <translation>
            <numerusform>%n given up</numerusform>
            <numerusform>%n given up</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n late</source>
        <translation>
            <numerusform>%n late</numerusform>
            <numerusform>%n late</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s) accepted</source>
        <translation>
            <numerusform>%n proposal accepted</numerusform>
            <numerusform>%n proposals accepted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n refused</source>
        <translation>
            <numerusform>%n refused</numerusform>
            <numerusform>%n refused</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n round(s)</source>
        <translation>
            <numerusform>%n round</numerusform>
            <numerusform>%n rounds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) wait(s|) for you</source>
        <translation>
            <numerusform>%n thing waits for you</numerusform>
            <numerusform>%n things wait for you</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n without an answer</source>
        <translation>
            <numerusform>%n without an answer</numerusform>
            <numerusform>%n without an answer</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ApprovalPage</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AttemptsSection</name>
    <message numerus="yes">
        <source>%n earlier attempt(s)</source>
        <translation>
            <numerusform>%n earlier attempt</numerusform>
            <numerusform>%n earlier attempts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Bell</name>
    <message numerus="yes">
        <source>%n unread notification(s)</source>
        <translation>
            <numerusform>%n unread notification</numerusform>
            <numerusform>%n unread notifications</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChangePlurals</name>
    <message numerus="yes">
        <source>Apply %n change(s)</source>
        <translation>
            <numerusform>Apply %n change</numerusform>
            <numerusform>Apply %n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChangesPane</name>
    <message numerus="yes">
        <source>Drop %n that no longer fit(s|)</source>
        <translation>
            <numerusform>Drop %n that no longer fits</numerusform>
            <numerusform>Drop %n that no longer fit</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CommandPlurals</name>
    <message numerus="yes">
        <source>%n device(s) of its own</source>
        <translation>
            <numerusform>%n device of its own</numerusform>
            <numerusform>%n devices of its own</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n different command(s)</source>
        <translation>
            <numerusform>%n different command</numerusform>
            <numerusform>%n different commands</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DeviceOffer</name>
    <message numerus="yes">
        <source>%n task(s) can only run on %1, which the plan does not name.</source>
        <translation>
            <numerusform>%n task can only run on %1, which the plan does not name.</numerusform>
            <numerusform>%n tasks can only run on %1, which the plan does not name.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EditPlurals</name>
    <message numerus="yes">
        <source>%n dependenc(y|ies)</source>
        <translation>
            <numerusform>%n dependency</numerusform>
            <numerusform>%n dependencies</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n no longer fit(s|)</source>
        <translation>
            <numerusform>%n no longer fits</numerusform>
            <numerusform>%n no longer fit</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n staged change(s)</source>
        <translation>
            <numerusform>%n staged change</numerusform>
            <numerusform>%n staged changes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Commit %n change(s)</source>
        <translation>
            <numerusform>Commit %n change</numerusform>
            <numerusform>Commit %n changes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Commit of %n change(s)</source>
        <translation>
            <numerusform>Commit of %n change</numerusform>
            <numerusform>Commit of %n changes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Discard of %n change(s)</source>
        <translation>
            <numerusform>Discard of %n change</numerusform>
            <numerusform>Discard of %n changes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EngineTabs</name>
    <message numerus="yes">
        <source>%n unread notification(s)</source>
        <translation>
            <numerusform>%n unread notification</numerusform>
            <numerusform>%n unread notifications</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EventsPane</name>
    <message numerus="yes">
        <source>%n earlier event(s) are not kept here.</source>
        <translation>
            <numerusform>%n earlier event is not kept here.</numerusform>
            <numerusform>%n earlier events are not kept here.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s) came too fast to be listed.</source>
        <translation>
            <numerusform>%n event came too fast to be listed.</numerusform>
            <numerusform>%n events came too fast to be listed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kind(s) hidden</source>
        <translation>
            <numerusform>%n kind hidden</numerusform>
            <numerusform>%n kinds hidden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FailuresSection</name>
    <message numerus="yes">
        <source>Retry %n failed</source>
        <translation>
            <numerusform>Retry %n failed</numerusform>
            <numerusform>Retry %n failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FilesSection</name>
    <message numerus="yes">
        <source>%n more file(s)</source>
        <translation>
            <numerusform>%n more file</numerusform>
            <numerusform>%n more files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FleetFileActions</name>
    <message numerus="yes">
        <source>%n device(s) saved in %1. They are here the next time, too.</source>
        <translation>
            <numerusform>%n device saved in %1. They is here the next time, too.</numerusform>
            <numerusform>%n devices saved in %1. They are here the next time, too.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GridPlurals</name>
    <message numerus="yes">
        <source>%n journal(s) cannot be read</source>
        <translation>
            <numerusform>%n journal cannot be read</numerusform>
            <numerusform>%n journals cannot be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HoverCard</name>
    <message numerus="yes">
        <source>%Ln child(ren)</source>
        <translation>
            <numerusform>%Ln child</numerusform>
            <numerusform>%Ln children</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln parent(s)</source>
        <translation>
            <numerusform>%Ln parent</numerusform>
            <numerusform>%Ln parents</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InQueue</name>
    <message numerus="yes">
        <source>%n more task(s) are not shown</source>
        <translation>
            <numerusform>%n more task is not shown</numerusform>
            <numerusform>%n more tasks are not shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more task(s) ready: held, at a breakpoint, or not to start yet</source>
        <translation>
            <numerusform>%n more task ready: held, at a breakpoint, or not to start yet</numerusform>
            <numerusform>%n more tasks ready: held, at a breakpoint, or not to start yet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) in line</source>
        <translation>
            <numerusform>%n task in line</numerusform>
            <numerusform>%n tasks in line</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Leaving</name>
    <message numerus="yes">
        <source>%n change(s) are staged for what has ended and would be lost: %1. Commit them to have it go on, or discard them.</source>
        <translation>
            <numerusform>%n change is staged for what has ended and would be lost: %1. Commit them to have it go on, or discard them.</numerusform>
            <numerusform>%n changes are staged for what has ended and would be lost: %1. Commit them to have it go on, or discard them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) are staged in this window alone and would be lost: %1. Commit or discard them.</source>
        <translation>
            <numerusform>%n change is staged in this window alone and would be lost: %1. Commit or discard them.</numerusform>
            <numerusform>%n changes are staged in this window alone and would be lost: %1. Commit or discard them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LossPlurals</name>
    <message numerus="yes">
        <source>%1 of %n dependency(ies)</source>
        <translation>
            <numerusform>%1 of %n dependency</numerusform>
            <numerusform>%1 of %n dependencyies</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n task(s)</source>
        <translation>
            <numerusform>%1 of %n task</numerusform>
            <numerusform>%1 of %n tasks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MessageBar</name>
    <message numerus="yes">
        <source>%n more message(s): %1</source>
        <translation>
            <numerusform>%n more message: %1</numerusform>
            <numerusform>%n more messages: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notice(s)</source>
        <translation>
            <numerusform>%n notice</numerusform>
            <numerusform>%n notices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Notifier</name>
    <message numerus="yes">
        <source>%n notification(s)</source>
        <translation>
            <numerusform>%n notification</numerusform>
            <numerusform>%n notifications</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OutputDifferenceDialog</name>
    <message numerus="yes">
        <source>%n difference(s).</source>
        <translation>
            <numerusform>%n difference.</numerusform>
            <numerusform>%n differences.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OutputPane</name>
    <message numerus="yes">
        <source>%n earlier line(s) are in the task&apos;s file.</source>
        <translation>
            <numerusform>%n earlier line is in the task&apos;s file.</numerusform>
            <numerusform>%n earlier lines are in the task&apos;s file.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n earlier line(s) were not kept.</source>
        <translation>
            <numerusform>%n earlier line was not kept.</numerusform>
            <numerusform>%n earlier lines were not kept.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PalettePane</name>
    <message numerus="yes">
        <source>%n template(s) could not be read.</source>
        <translation>
            <numerusform>%n template could not be read.</numerusform>
            <numerusform>%n templates could not be read.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PaneSearch</name>
    <message numerus="yes">
        <source>It is in the task&apos;s file, %n line(s) above these, which is too far to be shown.</source>
        <translation>
            <numerusform>It is in the task&apos;s file, %n line above these, which is too far to be shown.</numerusform>
            <numerusform>It is in the task&apos;s file, %n lines above these, which is too far to be shown.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ParentsSection</name>
    <message numerus="yes">
        <source>%n more parent(s)</source>
        <translation>
            <numerusform>%n more parent</numerusform>
            <numerusform>%n more parents</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PeopleHere</name>
    <message numerus="yes">
        <source>%n here</source>
        <translation>
            <numerusform>%n here</numerusform>
            <numerusform>%n here</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlanActions</name>
    <message numerus="yes">
        <source>%n task(s) could be given to them, and would count as done without having run.</source>
        <translation>
            <numerusform>%n task could be given to them, and would count as done without having run.</numerusform>
            <numerusform>%n tasks could be given to them, and would count as done without having run.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlanDifferencePlurals</name>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>%n changed</numerusform>
            <numerusform>%n changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n only in the plan</source>
        <translation>
            <numerusform>%n only in the plan</numerusform>
            <numerusform>%n only in the plan</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n only in the run</source>
        <translation>
            <numerusform>%n only in the run</numerusform>
            <numerusform>%n only in the run</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Plurals</name>
    <message numerus="yes">
        <source>%n attempt(s)</source>
        <translation>
            <numerusform>%n attempt</numerusform>
            <numerusform>%n attempts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n change</numerusform>
            <numerusform>%n changes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edit(s)</source>
        <translation>
            <numerusform>%n edit</numerusform>
            <numerusform>%n edits</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n event</numerusform>
            <numerusform>%n events</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failure(s)</source>
        <translation>
            <numerusform>%n failure</numerusform>
            <numerusform>%n failures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n parent(s)</source>
        <translation>
            <numerusform>%n parent</numerusform>
            <numerusform>%n parents</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s)</source>
        <translation>
            <numerusform>%n proposal</numerusform>
            <numerusform>%n proposals</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rule(s)</source>
        <translation>
            <numerusform>%n rule</numerusform>
            <numerusform>%n rules</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slot(s)</source>
        <translation>
            <numerusform>%n slot</numerusform>
            <numerusform>%n slots</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s)</source>
        <translation>
            <numerusform>%n task</numerusform>
            <numerusform>%n tasks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) may still run</source>
        <translation>
            <numerusform>%n task may still run</numerusform>
            <numerusform>%n tasks may still run</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation>
            <numerusform>%n value</numerusform>
            <numerusform>%n values</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n worker(s)</source>
        <translation>
            <numerusform>%n worker</numerusform>
            <numerusform>%n workers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProblemPlurals</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message numerus="yes">
        <source>%n problem(s)</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QuestionPage</name>
    <message numerus="yes">
        <source>Answer all %n alike</source>
        <translation>
            <numerusform>Answer all %n alike</numerusform>
            <numerusform>Answer all %n alike</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Reducing</name>
    <message numerus="yes">
        <source>Remove %n redundant dependenc(y|ies)</source>
        <translation>
            <numerusform>Remove %n redundant dependency</numerusform>
            <numerusform>Remove %n redundant dependencies</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RemovedRunPlurals</name>
    <message numerus="yes">
        <source>Put %n run(s) into the trash?</source>
        <translation>
            <numerusform>Put %n run into the trash?</numerusform>
            <numerusform>Put %n runs into the trash?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove %n run(s) for good?</source>
        <translation>
            <numerusform>Remove %n run for good?</numerusform>
            <numerusform>Remove %n runs for good?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReplacementPlurals</name>
    <message numerus="yes">
        <source>%n cannot be changed</source>
        <translation>
            <numerusform>%n cannot be changed</numerusform>
            <numerusform>%n cannot be changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed or cancelled task(s) are changed and tried again</source>
        <translation>
            <numerusform>%n failed or cancelled task is changed and tried again</numerusform>
            <numerusform>%n failed or cancelled tasks are changed and tried again</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n place(s)</source>
        <translation>
            <numerusform>%n place</numerusform>
            <numerusform>%n places</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>None of %n task(s) has this.</source>
        <translation>
            <numerusform>None of %n task has this.</numerusform>
            <numerusform>None of %n tasks has this.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove “%1” from %n task(s)</source>
        <translation>
            <numerusform>Remove “%1” from %n task</numerusform>
            <numerusform>Remove “%1” from %n tasks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace in %n task(s)</source>
        <translation>
            <numerusform>Replace in %n task</numerusform>
            <numerusform>Replace in %n tasks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace “%1” by “%2” in %n task(s)</source>
        <translation>
            <numerusform>Replace “%1” by “%2” in %n task</numerusform>
            <numerusform>Replace “%1” by “%2” in %n tasks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>in %n task(s)</source>
        <translation>
            <numerusform>in %n task</numerusform>
            <numerusform>in %n tasks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ResumablePlurals</name>
    <message numerus="yes">
        <source>%n task(s) ran when Starloom ended</source>
        <translation>
            <numerusform>%n task ran when Starloom ended</numerusform>
            <numerusform>%n tasks ran when Starloom ended</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Go on with %n interrupted run(s)?</source>
        <translation>
            <numerusform>Go on with %n interrupted run?</numerusform>
            <numerusform>Go on with %n interrupted runs?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Go on with %n run(s)</source>
        <translation>
            <numerusform>Go on with %n run</numerusform>
            <numerusform>Go on with %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Open %n paused run(s) again?</source>
        <translation>
            <numerusform>Open %n paused run again?</numerusform>
            <numerusform>Open %n paused runs again?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Open %n run(s)</source>
        <translation>
            <numerusform>Open %n run</numerusform>
            <numerusform>Open %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunDifferencePlurals</name>
    <message numerus="yes">
        <source>%n task(s) added</source>
        <translation>
            <numerusform>%n task added</numerusform>
            <numerusform>%n tasks added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) here only simulated</source>
        <translation>
            <numerusform>%n task here only simulated</numerusform>
            <numerusform>%n tasks here only simulated</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) removed</source>
        <translation>
            <numerusform>%n task removed</numerusform>
            <numerusform>%n tasks removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) there only simulated</source>
        <translation>
            <numerusform>%n task there only simulated</numerusform>
            <numerusform>%n tasks there only simulated</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunPlurals</name>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation>
            <numerusform>%1 of %n run</numerusform>
            <numerusform>%1 of %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) in the trash</source>
        <translation>
            <numerusform>%n run in the trash</numerusform>
            <numerusform>%n runs in the trash</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Saving</name>
    <message numerus="yes">
        <source>%n line(s) of it have comments. The plan does not hold them, and saving writes the file anew.</source>
        <translation>
            <numerusform>%n line of it has comments. The plan does not hold them, and saving writes the file anew.</numerusform>
            <numerusform>%n lines of it have comments. The plan does not hold them, and saving writes the file anew.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ScopePlurals</name>
    <message numerus="yes">
        <source>%n can no longer be changed</source>
        <translation>
            <numerusform>%n can no longer be changed</numerusform>
            <numerusform>%n can no longer be changed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerPlurals</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Unattended</name>
    <message numerus="yes">
        <source>%n may still run</source>
        <translation>
            <numerusform>%n may still run</numerusform>
            <numerusform>%n may still run</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UnfinishedPlurals</name>
    <message numerus="yes">
        <source>%n change(s) not committed</source>
        <translation>
            <numerusform>%n change not committed</numerusform>
            <numerusform>%n changes not committed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n plan(s) with unsaved changes</source>
        <translation>
            <numerusform>%n plan with unsaved changes</numerusform>
            <numerusform>%n plans with unsaved changes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) not finished</source>
        <translation>
            <numerusform>%n run not finished</numerusform>
            <numerusform>%n runs not finished</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cancel %n run(s)</source>
        <translation>
            <numerusform>Cancel %n run</numerusform>
            <numerusform>Cancel %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UnsavedPlurals</name>
    <message numerus="yes">
        <source>Discard %n plan(s)</source>
        <translation>
            <numerusform>Discard %n plan</numerusform>
            <numerusform>Discard %n plans</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Restore %n plan(s)</source>
        <translation>
            <numerusform>Restore %n plan</numerusform>
            <numerusform>Restore %n plans</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Restore %n unsaved plan(s)?</source>
        <translation>
            <numerusform>Restore %n unsaved plan?</numerusform>
            <numerusform>Restore %n unsaved plans?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Starloom ended before %n plan(s) could be saved. Restoring runs nothing.</source>
        <translation>
            <numerusform>Starloom ended before %n plan could be saved. Restoring runs nothing.</numerusform>
            <numerusform>Starloom ended before %n plans could be saved. Restoring runs nothing.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_NoticePlurals</name>
    <message numerus="yes">
        <source>%n done</source>
        <translation>
            <numerusform>%n done</numerusform>
            <numerusform>%n done</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s)</source>
        <translation>
            <numerusform>%n proposal</numerusform>
            <numerusform>%n proposals</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) failed</source>
        <translation>
            <numerusform>%n task failed</numerusform>
            <numerusform>%n tasks failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) print nothing</source>
        <translation>
            <numerusform>%n task print nothing</numerusform>
            <numerusform>%n tasks print nothing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) ran there</source>
        <translation>
            <numerusform>%n task ran there</numerusform>
            <numerusform>%n tasks ran there</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n task(s) run(s|) there</source>
        <translation>
            <numerusform>%n task runs there</numerusform>
            <numerusform>%n tasks run there</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s) of tasks</source>
        <translation>
            <numerusform>%n warning of tasks</numerusform>
            <numerusform>%n warnings of tasks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Plurals</name>
    <message numerus="yes">
        <source>… %n equal line(s)</source>
        <translation>
            <numerusform>… %n equal line</numerusform>
            <numerusform>… %n equal lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_SpokenPlurals</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>needed by %n task(s)</source>
        <translation>
            <numerusform>needed by %n task</numerusform>
            <numerusform>needed by %n tasks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Words</name>
    <message numerus="yes">
        <source>Edit %n task(s)</source>
        <translation>
            <numerusform>Edit %n task</numerusform>
            <numerusform>Edit %n tasks</numerusform>
        </translation>
    </message>
</context>
</TS>
