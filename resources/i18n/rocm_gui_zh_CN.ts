<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
</context>
<context>
    <name>CauseCard</name>
    <message>
        <source>Source: {source}</source>
        <translation>来源：{source}</translation>
    </message>
    <message>
        <source>What shows it</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>处理步骤</translation>
    </message>
    <message>
        <source>How to see that it is cured</source>
        <translation>如何确认已解决</translation>
    </message>
</context>
<context>
    <name>CheckCard</name>
    <message numerus="yes">
        <source>%n ready</source>
        <translation>
            <numerusform>就绪 %n 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to fix</source>
        <translation>
            <numerusform>必须解决 %n 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to look at</source>
        <translation>
            <numerusform>请留意 %n 项</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unknown</source>
        <translation>
            <numerusform>未知 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
</context>
<context>
    <name>CheckPage</name>
    <message>
        <source>Check &amp;again</source>
        <translation>重新检查(&amp;A)</translation>
    </message>
    <message>
        <source>Looking at this computer…</source>
        <translation>正在检查这台电脑…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>See routes</source>
        <translation>查看路线</translation>
    </message>
    <message>
        <source>Choose another</source>
        <translation>另选一个</translation>
    </message>
    <message>
        <source>Fix…</source>
        <translation>解决...</translation>
    </message>
    <message>
        <source>How…</source>
        <translation>查看办法...</translation>
    </message>
</context>
<context>
    <name>CheckRow</name>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Look at this</source>
        <translation>请留意</translation>
    </message>
    <message>
        <source>Must be fixed</source>
        <translation>必须解决</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>进行中</translation>
    </message>
</context>
<context>
    <name>ClosingGuard</name>
    <message>
        <source>Close the window?</source>
        <translation>要关闭窗口吗？</translation>
    </message>
    <message>
        <source>Closing stops it. What a setup has done is kept and can be continued or undone.</source>
        <translation>关闭窗口会将其停止。安装已完成的部分会保留，以后可以继续，也可以撤销。</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>停止并关闭</translation>
    </message>
    <message>
        <source>Keep going</source>
        <translation>继续安装</translation>
    </message>
</context>
<context>
    <name>CodeBox</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>Something unforeseen happened</source>
        <translation>发生了意外情况</translation>
    </message>
    <message>
        <source>A part of the program failed. Your work is kept and the program goes on; if it misbehaves, start it again. The report below tells the developers what happened. It holds no personal settings.</source>
        <translation>程序的某个部分出错了。你的进度已保留，程序会继续运行；如果表现异常，请重新启动。下面的报告供开发者了解发生了什么，其中不含个人设置。</translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation>复制报告</translation>
    </message>
</context>
<context>
    <name>EndCard</name>
    <message>
        <source>Stopped by you</source>
        <translation>已按你的要求停止</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>What was done is kept. Continue goes on from there, Undo takes it back.</source>
        <translation>已完成的部分会保留。“继续”从这里接着安装，“撤销”则全部还原。</translation>
    </message>
    <message>
        <source>Stopped by an error</source>
        <translation>因出错而停止</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Taken back</source>
        <translation>已撤销</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Nothing that this setup made is left.</source>
        <translation>此次安装创建的内容均已清除。</translation>
    </message>
    <message>
        <source>Taken back, but for what was changed since</source>
        <translation>已撤销，后来改动过的内容除外</translation>
    </message>
    <message>
        <source>Look at this</source>
        <translation>请留意</translation>
    </message>
    <message>
        <source>Some parts were changed by somebody and were kept. Look at them first.</source>
        <translation>有些内容后来被改动过，已保留。请先查看这些内容。</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>继续(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>重试(&amp;T)</translation>
    </message>
    <message>
        <source>Ne&amp;w setup</source>
        <translation>开始新的安装(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Undo…</source>
        <translation>撤销(&amp;U)...</translation>
    </message>
    <message>
        <source>&amp;Remove these too…</source>
        <translation>一并删除(&amp;R)...</translation>
    </message>
    <message>
        <source>E&amp;xplain</source>
        <translation>解释(&amp;X)</translation>
    </message>
    <message>
        <source>Copy re&amp;port</source>
        <translation>复制报告(&amp;P)</translation>
    </message>
    <message>
        <source>The log of the setup</source>
        <translation>安装日志</translation>
    </message>
</context>
<context>
    <name>ExplainPart</name>
    <message>
        <source>Explain an error</source>
        <translation>解释错误</translation>
    </message>
    <message>
        <source>What the program said</source>
        <translation>程序的输出</translation>
    </message>
    <message>
        <source>Paste it here, or drop a log file. The more lines around it, the better.</source>
        <translation>粘贴到这里，或拖入日志文件。前后内容越完整越好。</translation>
    </message>
    <message>
        <source>Open a &amp;file…</source>
        <translation>打开文件…(&amp;F)</translation>
    </message>
    <message>
        <source>C&amp;lear</source>
        <translation>清空(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Explain</source>
        <translation>解释(&amp;E)</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Nothing that is known</source>
        <translation>没有已知的错误</translation>
    </message>
    <message>
        <source>No line of this text is among the errors that this program knows. That does not mean that nothing is wrong: it means that it cannot say what. More of the text may help: the cause often stands many lines above the last one.</source>
        <translation>这段文本中没有本程序认识的错误。这并不表示没有问题，只是本程序说不出是什么问题。提供更多内容可能有帮助：原因往往在最后一行之前很多行。</translation>
    </message>
    <message>
        <source>Support &amp;bundle</source>
        <translation>支持包(&amp;B)</translation>
    </message>
    <message>
        <source>The file is long: {size} in its middle are not shown.</source>
        <translation>文件较长：中间的 {size} 未显示。</translation>
    </message>
    <message>
        <source>{name}. Nothing of it leaves this computer.</source>
        <translation>{name}。内容不会离开这台电脑。</translation>
    </message>
    <message>
        <source>What is pasted here is compared with known errors on this computer; nothing is sent.</source>
        <translation>粘贴的内容只在这台电脑上与已知错误比对，不会发送到任何地方。</translation>
    </message>
    <message>
        <source>Show the line</source>
        <translation>显示该行</translation>
    </message>
    <message>
        <source>line {numbers}</source>
        <translation>第 {numbers} 行</translation>
    </message>
    <message>
        <source>Open a log file</source>
        <translation>打开日志文件</translation>
    </message>
    <message>
        <source>Logs (*.log *.txt *.out *.err *.stderr)</source>
        <translation>日志 (*.log *.txt *.out *.err *.stderr)</translation>
    </message>
    <message>
        <source>Every file (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>FinishPage</name>
    <message>
        <source>Finish</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>What stands where</source>
        <translation>安装位置</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>开始使用</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步做什么</translation>
    </message>
    <message>
        <source>Open a &amp;terminal in it</source>
        <translation>在环境中打开终端(&amp;T)</translation>
    </message>
    <message>
        <source>Open in VS &amp;Code</source>
        <translation>用 VS Code 打开(&amp;C)</translation>
    </message>
    <message>
        <source>Add a &amp;Jupyter kernel</source>
        <translation>添加 Jupyter 内核(&amp;J)</translation>
    </message>
    <message>
        <source>Open the &amp;folder</source>
        <translation>打开文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Watch the GPUs</source>
        <translation>监控显卡</translation>
    </message>
    <message>
        <source>Measure them</source>
        <translation>测试性能</translation>
    </message>
    <message>
        <source>Train a demo</source>
        <translation>训练示例模型</translation>
    </message>
    <message>
        <source>&amp;Undo this setup…</source>
        <translation>撤销此次安装(&amp;U)...</translation>
    </message>
    <message>
        <source>Memory, power, temperature and load while your program runs.</source>
        <translation>程序运行时的显存、功耗、温度和占用率。</translation>
    </message>
    <message>
        <source>Bandwidth and arithmetic, compared with what your GPU should reach.</source>
        <translation>带宽和算力，并与此显卡应达到的数值对照。</translation>
    </message>
    <message>
        <source>A small network or a language model, with its speed.</source>
        <translation>小型网络或语言模型，并显示训练速度。</translation>
    </message>
    <message>
        <source>Takes back everything that the setup made; asks first.</source>
        <translation>撤销此次安装创建的全部内容，执行前会先询问。</translation>
    </message>
    <message>
        <source>Nothing is set up yet.</source>
        <translation>尚未安装任何内容。</translation>
    </message>
    <message>
        <source>When the setup is finished, this is where you open a terminal in it and run your script.</source>
        <translation>安装完成后，可在此打开终端并运行自己的脚本。</translation>
    </message>
    <message>
        <source>To the review</source>
        <translation>前往“确认计划”</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Start script</source>
        <translation>启动脚本</translation>
    </message>
    <message>
        <source>Proof</source>
        <translation>验证报告</translation>
    </message>
    <message>
        <source>Python, pip and your GPU are ready in it.</source>
        <translation>Python、pip 和显卡均可直接使用。</translation>
    </message>
    <message>
        <source>Python and pip are ready in it.</source>
        <translation>Python 和 pip 均可直接使用。</translation>
    </message>
    <message>
        <source>Opens the folder; choose the Python of the environment when VS Code asks.</source>
        <translation>打开文件夹；VS Code 询问时请选择该环境的 Python。</translation>
    </message>
    <message>
        <source>For Jupyter and for notebooks in VS Code, under the name {name}.</source>
        <translation>用于 Jupyter 和 VS Code 笔记本，名称为 {name}。</translation>
    </message>
    <message>
        <source>The start script, the environment and the proof.</source>
        <translation>启动脚本、环境和验证报告都在其中。</translation>
    </message>
    <message>
        <source>The kernel {name} was added. To remove it: jupyter kernelspec remove {name}</source>
        <translation>已添加内核 {name}。如需移除：jupyter kernelspec remove {name}</translation>
    </message>
</context>
<context>
    <name>FixDialog</name>
    <message>
        <source>About {download} to download, {disk} on the disk.</source>
        <translation>约需下载 {download}，占用磁盘 {disk}。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Copy and close</source>
        <translation>复制并关闭</translation>
    </message>
    <message>
        <source>This will run:</source>
        <translation>将要运行：</translation>
    </message>
    <message>
        <source>This will be opened:</source>
        <translation>将要打开：</translation>
    </message>
    <message>
        <source>For PowerShell:</source>
        <translation>在 PowerShell 中运行：</translation>
    </message>
    <message>
        <source>For the Command Prompt:</source>
        <translation>在命令提示符中运行：</translation>
    </message>
    <message>
        <source>For a terminal:</source>
        <translation>在终端中运行：</translation>
    </message>
    <message>
        <source>Windows will ask for administrator rights on the way.</source>
        <translation>过程中 Windows 会请求管理员权限。</translation>
    </message>
    <message>
        <source>It needs administrator rights.</source>
        <translation>需要管理员权限。</translation>
    </message>
    <message>
        <source>No administrator rights are needed.</source>
        <translation>无需管理员权限。</translation>
    </message>
    <message>
        <source>This computer is simulated, so nothing is run.</source>
        <translation>当前为模拟电脑，不会实际运行。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Done. Everything is being checked again.</source>
        <translation>已完成，正在重新检查全部项目。</translation>
    </message>
    <message>
        <source>Stopped. What was installed up to here stays.</source>
        <translation>已停止，到此为止安装的内容会保留。</translation>
    </message>
    <message>
        <source>It did not end and was stopped. The output above says how far it came.</source>
        <translation>程序一直没有结束，已将其停止。进行到哪一步见上方输出。</translation>
    </message>
    <message>
        <source>It ended with code {code}. The output above says why; try again, or do it by hand.</source>
        <translation>以代码 {code} 结束，原因见上方输出。请重试，或手动完成。</translation>
    </message>
</context>
<context>
    <name>FlowEndCard</name>
    <message>
        <source>Start &amp;over</source>
        <translation>重新开始(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Explain an error</source>
        <translation>解释错误(&amp;E)</translation>
    </message>
    <message>
        <source>Support &amp;bundle</source>
        <translation>支持包(&amp;B)</translation>
    </message>
</context>
<context>
    <name>FlowPart</name>
    <message>
        <source>Answered so far</source>
        <translation>已回答</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>&amp;Check again</source>
        <translation>重新检查(&amp;C)</translation>
    </message>
    <message>
        <source>It is so&amp;mething else</source>
        <translation>不是这个原因(&amp;M)</translation>
    </message>
    <message>
        <source>Back to this question</source>
        <translation>回到这个问题</translation>
    </message>
</context>
<context>
    <name>FolderCard</name>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folder for the setup</source>
        <translation>安装文件夹</translation>
    </message>
    <message>
        <source>Br&amp;owse…</source>
        <translation>浏览(&amp;O)...</translation>
    </message>
    <message>
        <source>A folder for this setup alone, new or empty. Everything goes into it; a short path is best.</source>
        <translation>专供此次安装使用的文件夹，须是新的或空的。所有内容都放在其中，路径越短越好。</translation>
    </message>
    <message>
        <source>Depth of the folder</source>
        <translation>路径深度</translation>
    </message>
    <message>
        <source>{drive}: {free} free.</source>
        <translation>{drive} 剩余 {free}。</translation>
    </message>
    <message>
        <source>{drive}: {free} free, the setup takes about {needed}.</source>
        <translation>{drive} 剩余 {free}，安装约需 {needed}。</translation>
    </message>
    <message>
        <source>too deep</source>
        <translation>过长</translation>
    </message>
    <message>
        <source>nearly too deep</source>
        <translation>接近上限</translation>
    </message>
    <message>
        <source>short enough</source>
        <translation>合适</translation>
    </message>
    <message>
        <source>{length} of {most} characters: {word}</source>
        <translation>{length} / {most} 个字符：{word}</translation>
    </message>
</context>
<context>
    <name>GpuCard</name>
    <message>
        <source>PCI addresses</source>
        <translation>PCI 地址</translation>
    </message>
    <message>
        <source>Where this is known from</source>
        <translation>数据来源</translation>
    </message>
    <message>
        <source>One of: {names}</source>
        <translation>以下之一：{names}</translation>
    </message>
    <message>
        <source>Unknown GPU ({id})</source>
        <translation>未知显卡（{id}）</translation>
    </message>
    <message>
        <source>Not AMD</source>
        <translation>非 AMD</translation>
    </message>
    <message>
        <source>Officially supported</source>
        <translation>官方支持</translation>
    </message>
    <message>
        <source>Works, unofficial</source>
        <translation>可用，非官方</translation>
    </message>
    <message>
        <source>Too old for ROCm</source>
        <translation>太旧，ROCm 不支持</translation>
    </message>
    <message>
        <source>No ROCm for it</source>
        <translation>无适用的 ROCm</translation>
    </message>
    <message>
        <source>Support unknown</source>
        <translation>支持情况未知</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>{gb} GB</source>
        <translation>{gb} GB</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Shared with the system</source>
        <translation>与系统共享</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>gfx target</source>
        <translation>gfx 目标</translation>
    </message>
    <message>
        <source>integrated in the processor</source>
        <translation>核显（集成在处理器中）</translation>
    </message>
    <message>
        <source>graphics card</source>
        <translation>独立显卡</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>分区</translation>
    </message>
</context>
<context>
    <name>Gui</name>
    <message>
        <source>Looking at this computer…</source>
        <translation>正在检查这台电脑…</translation>
    </message>
    <message>
        <source>No AMD GPU found</source>
        <translation>未找到 AMD 显卡</translation>
    </message>
    <message>
        <source>unknown AMD GPU</source>
        <translation>未知的 AMD 显卡</translation>
    </message>
</context>
<context>
    <name>GuideDialog</name>
    <message>
        <source>Good to know</source>
        <translation>须知</translation>
    </message>
    <message>
        <source>Source: {source}, {date}</source>
        <translation>来源：{source}，{date}</translation>
    </message>
    <message>
        <source>Step {number}</source>
        <translation>第 {number} 步</translation>
    </message>
</context>
<context>
    <name>HardwarePage</name>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>No AMD GPU</source>
        <translation>没有 AMD 显卡</translation>
    </message>
    <message>
        <source>No AMD GPU was found in this computer. PyTorch for the processor will be set up: everything works, training is many times slower. If there is a card, look at the checks below and check again.</source>
        <translation>这台电脑上未找到 AMD 显卡，将安装 CPU 版 PyTorch：功能齐全，但训练要慢很多倍。如果确实装有显卡，请查看下面的检查结果，然后重新检查。</translation>
    </message>
    <message numerus="yes">
        <source>%n AMD GPU(s) found.</source>
        <translation>
            <numerusform>找到 %n 块 AMD 显卡。</numerusform>
        </translation>
    </message>
    <message>
        <source>No AMD GPU was found.</source>
        <translation>未找到 AMD 显卡。</translation>
    </message>
</context>
<context>
    <name>HostCard</name>
    <message>
        <source>This computer</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>{gb} GB</source>
        <translation>{gb} GB</translation>
    </message>
    <message>
        <source>Page file</source>
        <translation>页面文件</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>交换空间</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>{name}, %n core(s)</source>
        <translation>
            <numerusform>{name}，%n 核</numerusform>
        </translation>
    </message>
    <message>
        <source>{name}, build {build}</source>
        <translation>{name}，内部版本 {build}</translation>
    </message>
    <message>
        <source>{name}, kernel {kernel}</source>
        <translation>{name}，内核 {kernel}</translation>
    </message>
</context>
<context>
    <name>InstallPage</name>
    <message>
        <source>Install</source>
        <translation>安装</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Progress of the current step</source>
        <translation>当前步骤的进度</translation>
    </message>
    <message>
        <source>Taking the setup back.</source>
        <translation>正在撤销安装。</translation>
    </message>
    <message>
        <source>Paused. Nothing runs until you go on.</source>
        <translation>已暂停，点击“继续”后才会接着运行。</translation>
    </message>
    <message>
        <source>Pauses after this step.</source>
        <translation>完成当前步骤后暂停。</translation>
    </message>
    <message>
        <source>Setting up {target}. You can use the computer meanwhile.</source>
        <translation>正在安装到 {target}，期间可以正常使用电脑。</translation>
    </message>
    <message>
        <source>Finished: every step is done.</source>
        <translation>安装完成，所有步骤均已执行。</translation>
    </message>
    <message>
        <source>This computer is simulated: nothing can be installed on it.</source>
        <translation>当前为模拟电脑，不能进行安装。</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Nothing runs yet.</source>
        <translation>尚未开始。</translation>
    </message>
    <message>
        <source>On a real computer the steps, their progress and the log of every program stand here.</source>
        <translation>在真实电脑上，这里会显示各个步骤、进度以及每个程序的日志。</translation>
    </message>
    <message>
        <source>The steps and the log stand here once the setup has been started on the page Review.</source>
        <translation>在“确认计划”页面开始安装后，这里会显示步骤和日志。</translation>
    </message>
    <message>
        <source>To the review</source>
        <translation>前往“确认计划”</translation>
    </message>
    <message>
        <source>Steps of the run</source>
        <translation>安装步骤</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>step {number} of {count}</source>
        <translation>第 {number} 步，共 {count} 步</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Pausing</source>
        <translation>即将暂停</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>since {time}</source>
        <translation>已用 {time}</translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation>继续(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Pause after this step</source>
        <translation>完成此步后暂停(&amp;P)</translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Save the log</source>
        <translation>保存日志</translation>
    </message>
    <message>
        <source>Text (*.log *.txt)</source>
        <translation>文本 (*.log *.txt)</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>First error</source>
        <translation>首个错误</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存...</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Setup</source>
        <translation>安装向导</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>监控</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Benchmarks</source>
        <translation>基准测试</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Profiler</source>
        <translation>性能分析</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Troubleshooting</source>
        <translation>疑难排查</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>ROCm GUI</source>
        <translation>ROCm GUI</translation>
    </message>
    <message>
        <source>{title} (simulated: {name})</source>
        <translation>{title}（模拟：{name}）</translation>
    </message>
</context>
<context>
    <name>NeedsPage</name>
    <message>
        <source>Monitor</source>
        <translation>监控</translation>
    </message>
    <message>
        <source>Topology</source>
        <translation>拓扑</translation>
    </message>
    <message>
        <source>Benchmarks</source>
        <translation>基准测试</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Profiler</source>
        <translation>性能分析</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>Build from source</source>
        <translation>从源码构建</translation>
    </message>
    <message>
        <source>This part of the program is still being built. Setup works today.</source>
        <translation>此部分仍在开发中。安装向导已可使用。</translation>
    </message>
    <message>
        <source>What will stand here</source>
        <translation>这里将提供</translation>
    </message>
    <message>
        <source>What it needs</source>
        <translation>使用条件</translation>
    </message>
    <message>
        <source>Go to Setup</source>
        <translation>打开安装向导</translation>
    </message>
    <message>
        <source>Busy, memory, power, temperatures, clocks and fan of every AMD GPU, live and as a history, and which programs use it.</source>
        <translation>每块 AMD 显卡的占用率、显存、功耗、温度、频率和风扇转速，实时显示并保留历史；还能看到哪些程序在使用显卡。</translation>
    </message>
    <message>
        <source>How the GPUs and processors of this computer are connected: PCIe and XGMI links, their speeds, and which memory is near.</source>
        <translation>这台电脑的显卡与处理器如何互连：PCIe 和 XGMI 链路、速率，以及哪些内存更近。</translation>
    </message>
    <message>
        <source>Memory bandwidth, matrix products, ResNet-50 and collectives with one click, beside the figures that this GPU should reach.</source>
        <translation>一键测试显存带宽、矩阵乘法、ResNet-50 和集合通信，并与此显卡应达到的数值对照。</translation>
    </message>
    <message>
        <source>Training demos in the background: the largest batch that fits, mixed precision, several GPUs, fine-tuning a language model.</source>
        <translation>在后台运行训练示例：寻找最大批大小、混合精度、多卡训练、微调语言模型。</translation>
    </message>
    <message>
        <source>Where the time of your own script goes: kernels, copies, waits; as a table and a timeline.</source>
        <translation>分析脚本的时间花在哪里：内核、数据拷贝和等待，以表格和时间线呈现。</translation>
    </message>
    <message>
        <source>The environment variables of your account and of the machine, edited safely: preview, backup and undo.</source>
        <translation>安全地编辑当前账户和系统的环境变量：可预览、备份和撤销。</translation>
    </message>
    <message>
        <source>ROCm, or any CMake project, built from its source, step by step.</source>
        <translation>一步步从源码构建 ROCm 或任意 CMake 项目。</translation>
    </message>
    <message>
        <source>An AMD GPU</source>
        <translation>AMD 显卡</translation>
    </message>
    <message>
        <source>Its driver</source>
        <translation>显卡驱动</translation>
    </message>
    <message>
        <source>A verified PyTorch environment</source>
        <translation>通过验证的 PyTorch 环境</translation>
    </message>
    <message>
        <source>None yet: Setup makes one.</source>
        <translation>还没有，可用安装向导创建。</translation>
    </message>
    <message>
        <source>Looking at this computer…</source>
        <translation>正在检查这台电脑…</translation>
    </message>
    <message>
        <source>No AMD GPU was found in this computer.</source>
        <translation>这台电脑上未找到 AMD 显卡。</translation>
    </message>
    <message>
        <source>unknown AMD GPU</source>
        <translation>未知的 AMD 显卡</translation>
    </message>
    <message>
        <source>Its version is not known.</source>
        <translation>版本未知。</translation>
    </message>
</context>
<context>
    <name>NetworkForm</name>
    <message>
        <source>&amp;Kind of environment</source>
        <translation>环境类型(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;PyPI mirror</source>
        <translation>PyPI 镜像(&amp;P)</translation>
    </message>
    <message>
        <source>Package &amp;index</source>
        <translation>软件源(&amp;I)</translation>
    </message>
    <message>
        <source>P&amp;roxy</source>
        <translation>代理(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Certificate file</source>
        <translation>证书文件(&amp;C)</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览...</translation>
    </message>
    <message>
        <source>Browse for a certificate file</source>
        <translation>浏览证书文件</translation>
    </message>
    <message>
        <source>venv: Python&apos;s own, proposed</source>
        <translation>venv：Python 自带，推荐</translation>
    </message>
    <message>
        <source>conda, found at {path}</source>
        <translation>conda，位于 {path}</translation>
    </message>
    <message>
        <source>conda was not found on this computer</source>
        <translation>这台电脑上未找到 conda</translation>
    </message>
    <message>
        <source>the route&apos;s own index</source>
        <translation>路线自带的软件源</translation>
    </message>
    <message>
        <source>the system&apos;s own, or http://host:port</source>
        <translation>系统代理，或 http://host:port</translation>
    </message>
    <message>
        <source>built-in ones, or a PEM file</source>
        <translation>内置证书，或 PEM 文件</translation>
    </message>
    <message>
        <source>{value} (from the settings)</source>
        <translation>{value}（来自设置）</translation>
    </message>
    <message>
        <source>As pip is configured here</source>
        <translation>按本机的 pip 配置</translation>
    </message>
    <message>
        <source>“{value}” is not the address of an index. It begins with https://, http:// or file://.</source>
        <translation>“{value}”不是有效的软件源地址，应以 https://、http:// 或 file:// 开头。</translation>
    </message>
    <message>
        <source>“{value}” is no proxy that pip can use. Write http://host:port; for SOCKS give the HTTP port.</source>
        <translation>“{value}”不是 pip 能使用的代理，格式为 http://主机:端口；SOCKS 代理请填写其 HTTP 端口。</translation>
    </message>
    <message>
        <source>Choose a file of certificates</source>
        <translation>选择证书文件</translation>
    </message>
    <message>
        <source>Certificates (*.pem *.crt *.cer)</source>
        <translation>证书 (*.pem *.crt *.cer)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>OptionsPage</name>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>The proposals work as they are. Whatever you change is kept when you go back.</source>
        <translation>默认选项可直接使用。返回上一步时，你的改动会保留。</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Python that the environment is made from</source>
        <translation>用于创建环境的 Python</translation>
    </message>
    <message>
        <source>&amp;Another…</source>
        <translation>其他(&amp;A)...</translation>
    </message>
    <message>
        <source>PyTorch and more</source>
        <translation>PyTorch 及附加组件</translation>
    </message>
    <message>
        <source>&amp;Version</source>
        <translation>版本(&amp;V)</translation>
    </message>
    <message>
        <source>Version of PyTorch</source>
        <translation>PyTorch 版本</translation>
    </message>
    <message>
        <source>Also install, from PyPI:</source>
        <translation>同时从 PyPI 安装：</translation>
    </message>
    <message>
        <source>language and vision models of Hugging Face</source>
        <translation>Hugging Face 的语言和视觉模型</translation>
    </message>
    <message>
        <source>training data of Hugging Face</source>
        <translation>Hugging Face 的训练数据集</translation>
    </message>
    <message>
        <source>training on several GPUs, mixed precision</source>
        <translation>多卡训练、混合精度</translation>
    </message>
    <message>
        <source>use the environment in Jupyter and VS Code notebooks</source>
        <translation>在 Jupyter 和 VS Code 笔记本中使用此环境</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>Folder for the setup</source>
        <translation>安装文件夹</translation>
    </message>
    <message>
        <source>conda brings its own Python into the environment.</source>
        <translation>conda 会在环境中自带 Python。</translation>
    </message>
    <message>
        <source>This route takes Python {range}.</source>
        <translation>此路线支持 Python {range}。</translation>
    </message>
    <message>
        <source>Automatic: Python {version}</source>
        <translation>自动：Python {version}</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Choose a Python program</source>
        <translation>选择 Python 程序</translation>
    </message>
    <message>
        <source>the route&apos;s own: {version}</source>
        <translation>路线默认：{version}</translation>
    </message>
    <message>
        <source>the newest</source>
        <translation>最新版</translation>
    </message>
</context>
<context>
    <name>PythonRow</name>
    <message>
        <source>Python {version}</source>
        <translation>Python {version}</translation>
    </message>
    <message>
        <source>32-bit</source>
        <translation>32 位</translation>
    </message>
    <message>
        <source>of the system</source>
        <translation>系统自带</translation>
    </message>
    <message>
        <source>of an environment</source>
        <translation>属于某个环境</translation>
    </message>
    <message>
        <source>Microsoft Store</source>
        <translation>微软商店版</translation>
    </message>
    <message>
        <source>Microsoft Store&apos;s placeholder</source>
        <translation>微软商店的占位程序</translation>
    </message>
</context>
<context>
    <name>QuestionCard</name>
    <message>
        <source>Question {number}</source>
        <translation>问题 {number}</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>是(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>否(&amp;N)</translation>
    </message>
    <message>
        <source>Not &amp;sure</source>
        <translation>不确定(&amp;S)</translation>
    </message>
</context>
<context>
    <name>ReviewPage</name>
    <message>
        <source>Review</source>
        <translation>确认计划</translation>
    </message>
    <message>
        <source>Working out the plan and asking the package index…</source>
        <translation>正在制定计划并查询软件源…</translation>
    </message>
    <message>
        <source>&amp;Copy plan</source>
        <translation>复制计划(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save plan…</source>
        <translation>保存计划(&amp;S)...</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载量</translation>
    </message>
    <message>
        <source>On the disk</source>
        <translation>占用磁盘</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Administrator</source>
        <translation>管理员权限</translation>
    </message>
    <message>
        <source>To know before</source>
        <translation>安装前须知</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>&amp;Install</source>
        <translation>安装(&amp;I)</translation>
    </message>
    <message>
        <source>Nothing has been changed yet.</source>
        <translation>尚未做任何改动。</translation>
    </message>
    <message>
        <source>This route is a guide: you do its steps yourself, this program installs nothing.</source>
        <translation>此路线是指南：步骤需要你自己完成，本程序不会安装任何内容。</translation>
    </message>
    <message>
        <source>This computer is simulated: the plan can be read, copied and saved, not carried out.</source>
        <translation>当前为模拟电脑：可以查看、复制和保存计划，但不能执行。</translation>
    </message>
    <message>
        <source>Nothing has been changed yet. This is everything that will be, in this order.</source>
        <translation>尚未做任何改动。以下是将要依次进行的全部操作。</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>needed</source>
        <translation>需要</translation>
    </message>
    <message>
        <source>not needed</source>
        <translation>不需要</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>Into {environment}, from {python}</source>
        <translation>安装到 {environment}，使用 {python}</translation>
    </message>
    <message>
        <source>done by you</source>
        <translation>由你完成</translation>
    </message>
    <message>
        <source>Needs administrator</source>
        <translation>需要管理员</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>保存计划</translation>
    </message>
    <message>
        <source>Plan (*.json)</source>
        <translation>计划 (*.json)</translation>
    </message>
    <message>
        <source>{path} could not be written: {reason}. Choose another folder.</source>
        <translation>无法写入 {path}：{reason}。请选择其他文件夹。</translation>
    </message>
</context>
<context>
    <name>RouteOption</name>
    <message numerus="yes">
        <source>Good to know (%n)</source>
        <translation>
            <numerusform>须知（%n 条）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RoutePage</name>
    <message>
        <source>Route</source>
        <translation>路线</translation>
    </message>
    <message>
        <source>Judging the checks for this route…</source>
        <translation>正在针对此路线评估检查结果…</translation>
    </message>
    <message>
        <source>Other routes that fit</source>
        <translation>其他适合的路线</translation>
    </message>
    <message>
        <source>Guides: steps for you to do</source>
        <translation>指南：需要你自己操作的步骤</translation>
    </message>
    <message>
        <source>Coming from a tutorial?</source>
        <translation>照着教程来的？</translation>
    </message>
    <message>
        <source>Building from source, setx, HSA_OVERRIDE_GFX_VERSION, whl/rocm6.1: each step, what is wrong with it today, and what works instead.</source>
        <translation>源码编译、setx、HSA_OVERRIDE_GFX_VERSION、whl/rocm6.1：逐步说明每一步如今有什么问题，以及应该怎么做。</translation>
    </message>
    <message>
        <source>Show step by step…</source>
        <translation>逐步查看...</translation>
    </message>
    <message>
        <source>Looking at this computer…</source>
        <translation>正在检查这台电脑…</translation>
    </message>
    <message>
        <source>No route fits this computer. The reasons stand below.</source>
        <translation>没有适合这台电脑的路线，原因见下。</translation>
    </message>
    <message>
        <source>This route would be the best one, but something is missing: {reasons}</source>
        <translation>此路线本是最佳选择，但还缺少条件：{reasons}</translation>
    </message>
    <message>
        <source>PyTorch for the processor is chosen: it uses no GPU.</source>
        <translation>已选择 CPU 版 PyTorch，不使用显卡。</translation>
    </message>
    <message>
        <source>Wheels bring ROCm with them. Nothing is compiled and nothing goes into the system.</source>
        <translation>wheel 自带 ROCm，无需编译，也不会改动系统。</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>推荐</translation>
    </message>
    <message numerus="yes">
        <source>%n route(s) do not fit here</source>
        <translation>
            <numerusform>另有 %n 条路线不适合</numerusform>
        </translation>
    </message>
    <message>
        <source>AMD lists your {gpu} for it.</source>
        <translation>你的 {gpu} 在 AMD 的支持列表中。</translation>
    </message>
    <message>
        <source>A fitting Python is here: {version}.</source>
        <translation>已有合适的 Python：{version}。</translation>
    </message>
    <message>
        <source>The driver {found} is new enough ({needed} or newer).</source>
        <translation>驱动 {found} 符合要求（{needed} 或更新）。</translation>
    </message>
    <message>
        <source>about {size} to download</source>
        <translation>约需下载 {size}</translation>
    </message>
    <message>
        <source>{size} on the disk</source>
        <translation>占用磁盘 {size}</translation>
    </message>
    <message>
        <source>Something is missing</source>
        <translation>条件不足</translation>
    </message>
    <message>
        <source>Without a GPU</source>
        <translation>不用显卡</translation>
    </message>
    <message>
        <source>Official</source>
        <translation>官方</translation>
    </message>
    <message>
        <source>Unofficial</source>
        <translation>非官方</translation>
    </message>
    <message>
        <source>Show steps…</source>
        <translation>查看步骤...</translation>
    </message>
    <message>
        <source>Does not work</source>
        <translation>不可行</translation>
    </message>
</context>
<context>
    <name>ScriptCard</name>
    <message>
        <source>Your script is still running.</source>
        <translation>你的脚本仍在运行。</translation>
    </message>
    <message>
        <source>Run your own script</source>
        <translation>运行自己的脚本</translation>
    </message>
    <message>
        <source>It runs in this environment on the GPU; the computer does not go to sleep meanwhile.</source>
        <translation>在此环境中用显卡运行，运行期间电脑不会休眠。</translation>
    </message>
    <message>
        <source>It runs in this environment on the processor; the computer does not go to sleep meanwhile.</source>
        <translation>在此环境中用处理器运行，运行期间电脑不会休眠。</translation>
    </message>
    <message>
        <source>&amp;Script</source>
        <translation>脚本(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Arguments</source>
        <translation>参数(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;GPU</source>
        <translation>显卡(&amp;G)</translation>
    </message>
    <message>
        <source>a Python file, such as train.py</source>
        <translation>Python 文件，例如 train.py</translation>
    </message>
    <message>
        <source>as on a command line, such as --epochs 3</source>
        <translation>与命令行写法相同，例如 --epochs 3</translation>
    </message>
    <message>
        <source>Br&amp;owse…</source>
        <translation>浏览(&amp;O)...</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>Sto&amp;p it</source>
        <translation>停止(&amp;P)</translation>
    </message>
    <message>
        <source>E&amp;xplain</source>
        <translation>解释(&amp;X)</translation>
    </message>
    <message>
        <source>The best one</source>
        <translation>最合适的一块</translation>
    </message>
    <message>
        <source>All of them</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>A quotation mark in the arguments is not closed.</source>
        <translation>参数中的引号没有成对。</translation>
    </message>
    <message>
        <source>Choose a script</source>
        <translation>选择脚本</translation>
    </message>
    <message>
        <source>Python (*.py)</source>
        <translation>Python (*.py)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Changes take effect at once and are kept.</source>
        <translation>更改立即生效并自动保存。</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;PyPI mirror</source>
        <translation>PyPI 镜像(&amp;P)</translation>
    </message>
    <message>
        <source>P&amp;roxy</source>
        <translation>代理(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Certificate file</source>
        <translation>证书文件(&amp;C)</translation>
    </message>
    <message>
        <source>Package &amp;index</source>
        <translation>软件源(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Folder for setups</source>
        <translation>安装文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Folder for &amp;downloads</source>
        <translation>下载文件夹(&amp;D)</translation>
    </message>
    <message>
        <source>empty: the system&apos;s own, for example http://127.0.0.1:7890</source>
        <translation>留空则使用系统代理，例如 http://127.0.0.1:7890</translation>
    </message>
    <message>
        <source>empty: the built-in certificates; a PEM file of your company otherwise</source>
        <translation>留空则使用内置证书，也可选择公司的 PEM 文件</translation>
    </message>
    <message>
        <source>empty: each route&apos;s own index</source>
        <translation>留空则使用各路线自带的软件源</translation>
    </message>
    <message>
        <source>empty: a short path in your own folder</source>
        <translation>留空则使用用户文件夹下的短路径</translation>
    </message>
    <message>
        <source>empty: {folder}</source>
        <translation>留空则为 {folder}</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>ROCm GUI {version}. Settings: {settings}. Setups and jobs: {data}. Nothing is sent anywhere.</source>
        <translation>ROCm GUI {version}。设置：{settings}。安装与任务记录：{data}。不会向任何地方发送数据。</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Follow the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Official (pypi.org)</source>
        <translation>官方（pypi.org）</translation>
    </message>
    <message>
        <source>{name}: “{value}” was not kept. It must be {what}.</source>
        <translation>{name}：“{value}”未保存，应为{what}。</translation>
    </message>
</context>
<context>
    <name>SetupPage</name>
    <message>
        <source>The setup is changing this computer.</source>
        <translation>安装正在改动这台电脑。</translation>
    </message>
</context>
<context>
    <name>SoftwarePage</name>
    <message>
        <source>Software</source>
        <translation>软件</translation>
    </message>
    <message>
        <source>Will be used</source>
        <translation>将使用</translation>
    </message>
    <message>
        <source>Not usable</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>Does not fit the route</source>
        <translation>不符合路线</translation>
    </message>
    <message>
        <source>Fits too</source>
        <translation>也可使用</translation>
    </message>
    <message>
        <source>Not used: {reason}.</source>
        <translation>不使用：{reason}。</translation>
    </message>
</context>
<context>
    <name>StackCard</name>
    <message>
        <source>The software stack</source>
        <translation>软件栈</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>保存图片…</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>组件</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>simulated: {name}</source>
        <translation>模拟：{name}</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
</context>
<context>
    <name>StackDetails</name>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Read from</source>
        <translation>读取自</translation>
    </message>
    <message>
        <source>Close the details</source>
        <translation>关闭详情</translation>
    </message>
</context>
<context>
    <name>Standing</name>
    <message numerus="yes">
        <source>%n thing(s) must be fixed before the setup can work.</source>
        <translation>
            <numerusform>有 %n 项必须先解决，才能继续安装。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Nothing stands in the way. %n thing(s) to look at.</source>
        <translation>
            <numerusform>可以继续安装，有 %n 项请留意。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing stands in the way.</source>
        <translation>一切就绪，可以继续安装。</translation>
    </message>
</context>
<context>
    <name>StatusStrip</name>
    <message>
        <source>simulated: {name}</source>
        <translation>模拟：{name}</translation>
    </message>
    <message>
        <source>Nothing here is read from this computer.</source>
        <translation>此处的数据均非来自这台电脑。</translation>
    </message>
    <message>
        <source>Running job</source>
        <translation>正在运行的任务</translation>
    </message>
</context>
<context>
    <name>StepList</name>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Look at this</source>
        <translation>请留意</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>已撤销</translation>
    </message>
</context>
<context>
    <name>StepsDialog</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Command Prompt</source>
        <translation>命令提示符</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
</context>
<context>
    <name>SupportPart</name>
    <message>
        <source>Support bundle</source>
        <translation>支持包</translation>
    </message>
    <message>
        <source>This program sends nothing. It makes one file, and you decide whether somebody gets it. Names, addresses, serial numbers and passwords are masked: read it here first.</source>
        <translation>本程序不会发送任何内容。它只生成一个文件，是否交给别人由你决定。姓名、地址、序列号和密码均已脱敏，请先在此查看。</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存…(&amp;S)</translation>
    </message>
    <message>
        <source>Collecting…</source>
        <translation>正在收集…</translation>
    </message>
    <message>
        <source>What goes in</source>
        <translation>包含的文件</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Masked</source>
        <translation>已脱敏</translation>
    </message>
    <message>
        <source>Content of the file</source>
        <translation>文件内容</translation>
    </message>
    <message>
        <source>Saved: {path}</source>
        <translation>已保存：{path}</translation>
    </message>
    <message>
        <source>{files} of {all} files, {size}, {masked} places masked</source>
        <translation>共 {all} 个文件，已选 {files} 个，{size}，脱敏 {masked} 处</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Choose a file to read it.</source>
        <translation>选择一个文件查看其内容。</translation>
    </message>
    <message>
        <source>Save the support bundle</source>
        <translation>保存支持包</translation>
    </message>
    <message>
        <source>Zip file (*.zip)</source>
        <translation>ZIP 文件 (*.zip)</translation>
    </message>
</context>
<context>
    <name>Text</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>全部复制</translation>
    </message>
</context>
<context>
    <name>TroubleOverview</name>
    <message>
        <source>Troubleshooting</source>
        <translation>疑难排查</translation>
    </message>
    <message>
        <source>Check &amp;again</source>
        <translation>重新检查(&amp;A)</translation>
    </message>
    <message>
        <source>Looking at this computer…</source>
        <translation>正在检查这台电脑…</translation>
    </message>
    <message>
        <source>My GPU is not found</source>
        <translation>找不到我的显卡</translation>
    </message>
    <message>
        <source>One question at a time, from the card in its slot to the runtime that should list it.</source>
        <translation>一次一个问题，从插槽上的显卡一直查到应当列出它的运行时。</translation>
    </message>
    <message>
        <source>PyTorch cannot use the GPU</source>
        <translation>PyTorch 无法使用显卡</translation>
    </message>
    <message>
        <source>It says that no GPU is available, or stops with an error where it should compute.</source>
        <translation>它提示没有可用的显卡，或在计算时报错停止。</translation>
    </message>
    <message>
        <source>Explain an error</source>
        <translation>解释错误</translation>
    </message>
    <message>
        <source>Paste what a program said, or drop its log file: what it means, and what to do.</source>
        <translation>粘贴程序的输出或拖入日志文件，查看含义和处理办法。</translation>
    </message>
    <message>
        <source>Support bundle</source>
        <translation>支持包</translation>
    </message>
    <message>
        <source>Everything that somebody who helps you asks for, masked, and shown before it is saved.</source>
        <translation>求助时对方会要的全部信息，已做脱敏处理，保存前先给你过目。</translation>
    </message>
    <message>
        <source>Failed lately</source>
        <translation>最近失败的任务</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>What an error means, and what to do about it. Nothing is sent anywhere.</source>
        <translation>错误的含义和处理办法。不会发送任何内容。</translation>
    </message>
    <message>
        <source>What is installed here, and one question at a time to the cause of a trouble.</source>
        <translation>查看已安装的内容，并通过逐个问题找到故障原因。</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>解释</translation>
    </message>
</context>
<context>
    <name>TroublePart</name>
    <message>
        <source>Back to the overview</source>
        <translation>返回概览</translation>
    </message>
</context>
<context>
    <name>TutorialDialog</name>
    <message>
        <source>The tutorial, step by step</source>
        <translation>逐步对照教程</translation>
    </message>
    <message>
        <source>The lines are quoted to be recognised, not to be run. Judged for {system}.</source>
        <translation>引用原文只为方便对照，请勿照此运行。以下按 {system} 判断。</translation>
    </message>
    <message>
        <source>Works</source>
        <translation>可行</translation>
    </message>
    <message>
        <source>Dated</source>
        <translation>已过时</translation>
    </message>
    <message>
        <source>Does not work</source>
        <translation>不可行</translation>
    </message>
    <message>
        <source>Not on this system</source>
        <translation>本系统没有</translation>
    </message>
</context>
<context>
    <name>VerifyPage</name>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>&amp;Verify again</source>
        <translation>重新验证(&amp;V)</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <source>E&amp;xplain</source>
        <translation>解释(&amp;X)</translation>
    </message>
    <message>
        <source>&amp;Save as…</source>
        <translation>另存为(&amp;S)...</translation>
    </message>
    <message>
        <source>Progress of the verification</source>
        <translation>验证进度</translation>
    </message>
    <message>
        <source>Every layer computes on the device; each result is compared with the processor in float64.</source>
        <translation>每一层都在设备上实际计算，结果与 CPU 的 float64 逐项比较。</translation>
    </message>
    <message>
        <source>Once the setup has run, its proof stands here: what was computed, how exactly, and on what.</source>
        <translation>安装完成后，这里会显示验证报告：内容、精度和所用设备。</translation>
    </message>
    <message>
        <source>To the review</source>
        <translation>前往“确认计划”</translation>
    </message>
    <message>
        <source>Verified</source>
        <translation>已通过验证</translation>
    </message>
    <message>
        <source>Verified, with a workaround</source>
        <translation>已通过验证，需规避方法</translation>
    </message>
    <message>
        <source>Verified, CPU only</source>
        <translation>已通过验证，仅 CPU</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Wrong results</source>
        <translation>结果错误</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>What the verification was told</source>
        <translation>验证时得到的错误信息</translation>
    </message>
    <message>
        <source>Save the report (names and serial numbers are masked)</source>
        <translation>保存报告（名称和序列号已隐去）</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>文本 (*.txt)</translation>
    </message>
    <message>
        <source>Data (*.json)</source>
        <translation>数据 (*.json)</translation>
    </message>
    <message>
        <source>Saved: {path}</source>
        <translation>已保存：{path}</translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>From nothing to training on your GPU</source>
        <translation>从零开始，用你的显卡训练</translation>
    </message>
    <message>
        <source>This guide sets up PyTorch for your AMD GPU and proves that it computes correctly.</source>
        <translation>本向导会为你的 AMD 显卡安装 PyTorch，并验证计算结果正确。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>What happens</source>
        <translation>安装过程</translation>
    </message>
    <message>
        <source>First it looks at this computer. Then it chooses the way to PyTorch that works here and shows every command and every change. Only then, when you say so, it downloads, installs and verifies. On a computer without a usable AMD GPU it sets up PyTorch for the processor and says so.</source>
        <translation>首先检查这台电脑，然后选出可行的 PyTorch 安装路线，并列出每一条命令和每一处改动。经你确认后，才会下载、安装和验证。如果没有可用的 AMD 显卡，则会安装 CPU 版 PyTorch，并明确说明。</translation>
    </message>
    <message>
        <source>What it promises</source>
        <translation>我们的承诺</translation>
    </message>
    <message>
        <source>Everything goes into one folder that you choose. Nothing needs administrator rights unless a step says so first. You can stop at any time and continue later, also after a power cut, and undo all of it. Nothing is sent anywhere.</source>
        <translation>所有内容都放在你选择的一个文件夹里。除非某一步事先说明，否则不需要管理员权限。可以随时停止、以后再继续（断电后也可以），并能全部撤销。不会向任何地方发送数据。</translation>
    </message>
    <message>
        <source>If you come from a tutorial</source>
        <translation>如果你是照着教程来的</translation>
    </message>
    <message>
        <source>Many guides build ROCm from source, set HSA_OVERRIDE_GFX_VERSION and change PATH with setx. On Windows none of that works or is needed today. Each such step appears here with the reason and with what works instead.</source>
        <translation>不少教程要求从源码编译 ROCm、设置 HSA_OVERRIDE_GFX_VERSION、用 setx 修改 PATH。如今在 Windows 上，这些做法既行不通，也没有必要。本向导会逐一说明原因，并给出可行的做法。</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>开始(&amp;S)</translation>
    </message>
</context>
<context>
    <name>WizardFrame</name>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>Software</source>
        <translation>软件</translation>
    </message>
    <message>
        <source>Route</source>
        <translation>路线</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>确认计划</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>安装</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>上一步(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Stop…</source>
        <translation>停止(&amp;S)...</translation>
    </message>
    <message>
        <source>Undo it</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Steps of the setup</source>
        <translation>安装步骤</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>下一步(&amp;N)</translation>
    </message>
    <message>
        <source>{minutes}:{seconds} left in this step</source>
        <translation>此步剩余 {minutes}:{seconds}</translation>
    </message>
    <message>
        <source>A setup in {target} was not finished. It can go on where it stopped, or be undone.</source>
        <translation>{target} 中有一个未完成的安装，可以从停止处继续，也可以撤销。</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Stop the setup?</source>
        <translation>要停止安装吗？</translation>
    </message>
    <message>
        <source>The setup is changing this computer.</source>
        <translation>安装正在改动这台电脑。</translation>
    </message>
    <message>
        <source>It stops at a safe point. What was done is kept: it can be continued later, or undone.</source>
        <translation>会在安全的位置停止。已完成的部分会保留，以后可以继续，也可以撤销。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Keep going</source>
        <translation>继续安装</translation>
    </message>
</context>
<context>
    <name>ask_undo</name>
    <message>
        <source>Undo this setup?</source>
        <translation>要撤销此次安装吗？</translation>
    </message>
    <message>
        <source>What was changed since in {target} will be deleted too.</source>
        <translation>{target} 中后来改动过的内容也会被删除。</translation>
    </message>
    <message>
        <source>Your own files beside the setup are never touched. This cannot be undone.</source>
        <translation>安装之外你自己的文件绝不会被触碰。此操作无法恢复。</translation>
    </message>
    <message>
        <source>Everything that this setup put into {target} will be removed.</source>
        <translation>此次安装放入 {target} 的所有内容都将被删除。</translation>
    </message>
    <message>
        <source>What somebody changed or added since is kept and listed.</source>
        <translation>后来改动或新增的内容会保留并列出。</translation>
    </message>
    <message>
        <source>Undo it</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
</context>
<context>
    <name>engine_words</name>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>“Folder”</source>
        <translation>“文件夹”</translation>
    </message>
    <message>
        <source>“Python”</source>
        <translation>“Python”</translation>
    </message>
    <message>
        <source>“Package index”</source>
        <translation>“软件源”</translation>
    </message>
    <message>
        <source>“Proxy”</source>
        <translation>“代理”</translation>
    </message>
    <message>
        <source>“Certificate file”</source>
        <translation>“证书文件”</translation>
    </message>
    <message>
        <source>“Folder for downloads”</source>
        <translation>“下载文件夹”</translation>
    </message>
    <message>
        <source>“PyPI mirror”</source>
        <translation>“PyPI 镜像”</translation>
    </message>
</context>
<context>
    <name>run_words</name>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} 小时 {minutes} 分</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
</context>
<context>
    <name>troubleshooting_words</name>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Package index</source>
        <translation>软件包源</translation>
    </message>
    <message>
        <source>Packages</source>
        <translation>软件包</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Python environment</source>
        <translation>Python 环境</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行时</translation>
    </message>
    <message>
        <source>Math libraries</source>
        <translation>数学库</translation>
    </message>
    <message>
        <source>Convolutions (MIOpen)</source>
        <translation>卷积（MIOpen）</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Several GPUs</source>
        <translation>多显卡</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Build from source</source>
        <translation>从源码构建</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境变量</translation>
    </message>
    <message>
        <source>A step of a setup</source>
        <translation>安装步骤</translation>
    </message>
    <message>
        <source>A fix</source>
        <translation>修复操作</translation>
    </message>
    <message>
        <source>A build from source</source>
        <translation>源码构建</translation>
    </message>
    <message>
        <source>A look at a Python environment</source>
        <translation>查看 Python 环境</translation>
    </message>
    <message>
        <source>A verification</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>A repair</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>A program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>stopped, it did not end in time</source>
        <translation>超时，已停止</translation>
    </message>
    <message>
        <source>crashed with {code}</source>
        <translation>崩溃，代码 {code}</translation>
    </message>
    <message>
        <source>crashed</source>
        <translation>崩溃</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>failed with code {code}</source>
        <translation>失败，代码 {code}</translation>
    </message>
</context>
</TS>
