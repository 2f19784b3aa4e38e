/*
 * The steps of a scripted Pipeline that ci/jenkins/Jenkinsfile uses, as Jenkins documents them. Scripts really run. The arguments are a
 * Jenkinsfile and a JSON file of settings (jenkins-engine.fixture.ts has their shape). It writes the result of the build to `result`.
 * Source: jenkins.io/doc/pipeline/steps, "Pipeline: Basic Steps", "Pipeline: Groovy", "Pipeline: Nodes and Processes".
 */
import groovy.io.FileType
import groovy.json.JsonOutput
import groovy.json.JsonSlurper
import java.nio.file.FileSystems
import java.nio.file.PathMatcher
import java.nio.file.Paths
import org.codehaus.groovy.control.CompilerConfiguration

class Build {

    Map settings
    Map env
    File here
    String stage = ''
    int nodes = 0
    Map<String, File> stashes = [:]
    List<String> machines = []
    Map<String, String> stages = [:]
    Map<String, String> printed = [:].withDefault { '' }

}

abstract class Steps extends Script {

    Build getBuild() { binding.getVariable('build') }

    Map getEnv() { build.env }

    String getScm() { 'scm' }

    /** No timer has started it. */
    Map getCurrentBuild() { [getBuildCauses: { String kind -> [] }] }

    /** Runs a stage, which fails if its body throws. */
    void stage(String name, Closure body) {
        String before = build.stage
        build.stage = name
        try {
            body()
            build.stages[name] = 'passed'
        } catch (Throwable problem) {
            build.stages[name] = 'failed'
            throw problem
        } finally {
            build.stage = before
        }
    }

    /** Runs a body on another agent each time. Its workspace has the files that the build before left. */
    void node(String label, Closure body) {
        build.nodes += 1
        File workspace = new File(build.settings.agents, "agent-${build.nodes}/workspace")
        workspace.mkdirs()
        inFolder(workspace) { withEnv(["WORKSPACE=${workspace}"], body) }
    }

    void withEnv(List variables, Closure body) {
        Map before = build.env
        build.env = before + variables.collectEntries { it.toString().split('=', 2).toList() }
        try {
            body()
        } finally {
            build.env = before
        }
    }

    void dir(String path, Closure body) { inFolder(at(path), body) }

    String pwd(Map options) { options.tmp ? "${env.WORKSPACE}@tmp" : build.here.path }

    void deleteDir() { build.here.deleteDir() }

    /** Runs all branches to their end, and then fails if one of them did. A cancelled branch never gets an agent. */
    void parallel(Map<String, Closure> branches) {
        Throwable first = null
        branches.each { name, body ->
            try {
                if (name in build.settings.canceled) {
                    throw new IllegalStateException("${name} was cancelled")
                }
                if (build.settings.only == null || name in build.settings.only) {
                    build.machines.add(name)
                    body()
                }
            } catch (Throwable problem) {
                println(problem)
                first = first ?: problem
            }
        }
        if (first) {
            throw first
        }
    }

    /** Checks out the commit. For a pull request it merges the target into the head, in each workspace again. */
    Map checkout(String ignored) {
        Map settings = build.settings
        build.here.mkdirs()
        execute(['git', 'init', '--quiet'])
        execute(['git', 'fetch', '--quiet', settings.repository, '+refs/heads/*:refs/remotes/origin/*'])
        execute(['git', 'checkout', '--quiet', '--force', '--detach', settings.commit])
        if (env.CHANGE_TARGET) {
            String date = "@${1_700_000_000 + build.nodes} +0000"
            withEnv(["GIT_AUTHOR_DATE=${date}", "GIT_COMMITTER_DATE=${date}"]) {
                execute(['git', 'merge', '--quiet', '--no-edit', "refs/remotes/origin/${env.CHANGE_TARGET}"])
            }
        }
        Map change = [GIT_COMMIT: execute(['git', 'rev-parse', 'HEAD']).trim(), GIT_BRANCH: env.BRANCH_NAME, GIT_URL: settings.repository]
        return settings.previous ? change + [GIT_PREVIOUS_SUCCESSFUL_COMMIT: settings.previous] : change
    }

    void sh(String script) {
        File file = File.createTempFile('script', '.sh')
        file.text = script
        try {
            build.printed[build.stage] += execute(['/bin/sh', '-xe', file.path])
        } finally {
            file.delete()
        }
    }

    void stash(Map options) {
        List<String> files = matching(options.includes)
        if (files.empty && !options.allowEmpty) {
            throw new IllegalStateException("No files included in stash ${options.name}")
        }
        File folder = File.createTempDir()
        files.each { copy(new File(build.here, it), new File(folder, it)) }
        build.stashes[options.name] = folder
    }

    void unstash(String name) {
        File folder = build.stashes[name]
        if (folder == null) {
            throw new IllegalStateException("No such saved stash ${name}")
        }
        filesIn(folder).each { copy(new File(folder, it), new File(build.here, it)) }
    }

    void archiveArtifacts(Map options) {
        if (matching(options.artifacts).empty && !options.allowEmptyArchive) {
            throw new IllegalStateException("No artifacts found that match ${options.artifacts}")
        }
    }

    Object load(String path) { new GroovyShell(this.class.classLoader, binding).evaluate(at(path)) }

    protected List<String> matching(String patterns) {
        List<PathMatcher> matchers = patterns.split(',').collect { FileSystems.default.getPathMatcher("glob:${it}") }
        return filesIn(build.here).findAll { file -> matchers.any { it.matches(Paths.get(file)) } }
    }

    protected List<String> filesIn(File folder) {
        List<String> files = []
        folder.eachFileRecurse(FileType.FILES) { files.add(it.path.substring(folder.path.length() + 1)) }
        return files
    }

    protected File at(String path) { path.startsWith('/') ? new File(path) : new File(build.here, path) }

    protected void inFolder(File folder, Closure body) {
        File before = build.here
        build.here = folder
        try {
            body()
        } finally {
            build.here = before
        }
    }

    protected String execute(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command*.toString()).directory(build.here).redirectErrorStream(true)
        builder.environment().clear()
        env.each { name, value -> builder.environment()[name] = value.toString() }
        Process process = builder.start()
        process.outputStream.close()
        String text = process.inputStream.text
        println(text)
        if (process.waitFor() != 0) {
            build.printed[build.stage] += text
            throw new IllegalStateException("script returned exit code ${process.exitValue()}")
        }
        return text
    }

    protected void copy(File from, File to) {
        to.parentFile.mkdirs()
        to.bytes = from.bytes
    }

}

Map settings = new JsonSlurper().parse(new File(args[1]))
Build build = new Build(settings: settings, env: settings.env, here: new File(settings.agents))
CompilerConfiguration configuration = new CompilerConfiguration(scriptBaseClass: Steps.name)
String problem = null
try {
    new GroovyShell(this.class.classLoader, new Binding([build: build]), configuration).evaluate(new File(args[0]))
} catch (Throwable thrown) {
    problem = thrown.toString()
}
new File(settings.result).text = JsonOutput.toJson(
    [problem: problem, machines: build.machines, stages: build.stages, printed: build.printed])
