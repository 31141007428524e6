<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>CheckCard</name>
    <message numerus="yes">
        <source>%n ready</source>
        <translation>
            <numerusform>%n ready</numerusform>
            <numerusform>%n ready</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to fix</source>
        <translation>
            <numerusform>%n to fix</numerusform>
            <numerusform>%n to fix</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to look at</source>
        <translation>
            <numerusform>%n to look at</numerusform>
            <numerusform>%n to look at</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unknown</source>
        <translation>
            <numerusform>%n unknown</numerusform>
            <numerusform>%n unknown</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HardwarePage</name>
    <message numerus="yes">
        <source>%n AMD GPU(s) found.</source>
        <translation>
            <numerusform>%n AMD GPU found.</numerusform>
            <numerusform>%n AMD GPUs found.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HostCard</name>
    <message numerus="yes">
        <source>{name}, %n core(s)</source>
        <translation>
            <numerusform>{name}, %n core</numerusform>
            <numerusform>{name}, %n cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RouteOption</name>
    <message numerus="yes">
        <source>Good to know (%n)</source>
        <translation>
            <numerusform>Good to know (%n)</numerusform>
            <numerusform>Good to know (%n)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RoutePage</name>
    <message numerus="yes">
        <source>%n route(s) do not fit here</source>
        <translation>
            <numerusform>%n route does not fit here</numerusform>
            <numerusform>%n routes do not fit here</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Standing</name>
    <message numerus="yes">
        <source>%n thing(s) must be fixed before the setup can work.</source>
        <translation>
            <numerusform>%n thing must be fixed before the setup can work.</numerusform>
            <numerusform>%n things must be fixed before the setup can work.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing stands in the way. %n thing(s) to look at.</source>
        <translation>
            <numerusform>Nothing stands in the way. %n thing to look at.</numerusform>
            <numerusform>Nothing stands in the way. %n things to look at.</numerusform>
        </translation>
    </message>
</context>
</TS>
