/** How a program runs a command in its arguments, as `sudo`, `xargs` and `sh -c` do. */
export type CommandRunner = {
	/**
	The number of the program's own arguments (not counting options) after which the words of the command begin. The
	number is absent if only options contain commands.
	*/
	readonly runs?: number;
	/** The one-letter options that take no argument. The word after any other option may be its argument. */
	readonly flags?: string;
	/** The only options that take an argument, if they are known. This list replaces `flags`. */
	readonly takes?: readonly string[];
	/** The options whose argument is a command, or a script that can run a command. */
	readonly options?: RegExp;
	/** Whether the program reads a command from its input if its arguments contain none. */
	readonly readsInput?: true;
	/** Whether the program prints its input if its arguments contain no command. */
	readonly printsInput?: true;
	/** Whether the program runs a script in a file instead of a command. */
	readonly runsFile?: true;
	/** Whether the program is recognized anywhere in a command, because other programs run texts that contain it. */
	readonly anywhere?: true;
	/** The options that make the program read and run nothing. */
	readonly idle?: RegExp;
	/**
	A later word that changes how the program runs commands, such as an option. `runner` then replaces this description.
	*/
	readonly becomes?: {readonly words: RegExp; readonly runner: CommandRunner};
};

/** Returns how a program runs a command. The lookup uses the base name of the program without a version. */
export function runnerOf(word: string): CommandRunner | undefined {
	const name = baseName(word);
	if (name.length > maxName) return undefined;
	if (/^ld(?:-|\.so)/.test(name) || commandKey.test(name)) return plainRunner;
	return runners.get(name) ?? runners.get(name.replace(/[\d.-]+$/, ''));
}

/** Tells whether the word after an option may be the option's argument. */
export function mayTakeArgument({takes, flags = ''}: CommandRunner, option: string): boolean {
	if (/^--?$|=/.test(option)) return false;
	const letters = Array.from(option.slice(1));
	const last = /^-\w+$/.test(option) ? `-${letters.at(-1) ?? ''}` : option;
	if (takes !== undefined) return takes.includes(option) || takes.includes(last);
	const isNumber = /^-[A-Za-z]\d[\d.]*$/.test(option);
	return option.startsWith('--') || !(isNumber || letters.every(letter => flags.includes(letter)));
}

/** Tells whether programs run the value of the variable with this name. */
export function isCommandVariable(name: string): boolean {
	return name.length <= maxName && commandVariable.test(name);
}

/** Tells whether git or ssh runs the value of the setting with this name. */
export function isCommandKey(name: string): boolean {
	return name.length <= maxName && commandKey.test(name);
}

/** Tells whether a word names a shell that runs its input in the same way as this command. */
export function isShell(word: string): boolean {
	return runnerOf(word) === shell;
}

/** Tells whether a program runs its command once for each word of its input. */
export function addsInput(word: string): boolean {
	return ['xargs', 'parallel'].includes(baseName(word));
}

/**
Tells whether `-c` of a program does not run a command, but has another meaning, such as count, compile or create.
*/
export function usesOwnC(word: string): boolean {
	return ownC.has(baseName(word));
}

function baseName(word: string): string {
	return word.slice(word.lastIndexOf('/') + 1);
}

const maxName = 80;

const commandVariable = new RegExp(
	`^(?:${[
		'GIT_(?:SSH|SSH_COMMAND|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|EXTERNAL_DIFF|PROXY_COMMAND)',
		'GIT_CONFIG_(?:PARAMETERS|VALUE_\\d+)|\\w*PAGER|\\w*EDITOR|VISUAL|BROWSER|SSH_ASKPASS|SUDO_ASKPASS',
		'SHELL|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|BASH_ENV|ENV|PS[0-4]|LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH',
		'DYLD_INSERT_LIBRARIES|RSYNC_RSH|CVS_RSH|TAR_OPTIONS|MAKEFLAGS|PERL5OPT|RUBYOPT',
	].join('|')})$`,
);
const commandKey = new RegExp(
	`^(?:${[
		'(?:alias|pager)\\..+|core\\.(?:pager|editor|sshcommand|fsmonitor|askpass|hookspath|gitproxy)|sequence\\.editor',
		'(?:browser|credential|diff|difftool|filter|gpg|guitool|interactive|man|merge|mergetool)\\..+',
		'(?:remote|sendemail|tar|trailer|uploadpack)\\..+|(?:-o)?(?:proxycommand|localcommand|knownhostscommand)',
	].join('|')})$`,
	'i',
);
const ownC = new Set(
	'ls grep egrep fgrep rg wc head tail gcc g++ cc c++ clang clang++ sort uniq tar cut tr file gzip ping'.split(' '),
);

const plainRunner: CommandRunner = {runs: 0};
const anywhere: CommandRunner = {runs: 0, anywhere: true};
const shellOnInput: CommandRunner = {runs: 0, readsInput: true};
const shell: CommandRunner = {
	runs: 0,
	flags: 'abefhiklmnprtuvxBCEHPTs',
	options: /^-\w*c$/,
	readsInput: true,
	anywhere: true,
	becomes: {words: /^-\w*s/, runner: {runs: Infinity, readsInput: true}},
};
const interpreter = (options: RegExp, takes: readonly string[] = [], idle = /^-v$/): CommandRunner => {
	return {runs: 0, takes, options, idle, readsInput: true, runsFile: true};
};

const runners: ReadonlyMap<string, CommandRunner> = new Map<string, CommandRunner>([
	...each('sh bash zsh dash ksh fish ash', shell),
	...each('if then else elif while until do ! { time coproc', {...anywhere, flags: 'pvaq'}),
	...each('-exec -execdir -ok -okdir -c', anywhere),
	...each('eval exec command builtin nohup noglob busybox', {...anywhere, flags: 'clpvV'}),
	...each('nice ionice stdbuf', {...anywhere, flags: 't'}),
	...each('setsid watch', {...anywhere, flags: 'cfwdbeg'}),
	...each('sudo doas', {
		...anywhere,
		flags: 'AbEHnPSKksi',
		becomes: {words: /^-\w*[si]/, runner: {...shellOnInput, flags: 'AbEHnPSKksi'}},
	}),
	['env', {...anywhere, flags: 'i0v', options: /^(?:-\w*S|--split-string)$/}],
	['timeout', {...anywhere, runs: 1, flags: 'v'}],
	[
		'xargs',
		{
			...anywhere,
			printsInput: true,
			takes: [
				...'-a -d -E -I -J -L -n -P -R -s -S'.split(' '),
				...'--arg-file --delimiter --max-args --max-chars --max-lines --max-procs --process-slot-var'.split(
					' ',
				),
			],
		},
	],
	['parallel', {...anywhere, flags: 'kmX0', readsInput: true}],
	...each('strace ltrace npx bunx pnpx entr', {runs: 0, flags: 'frcdqvyz'}),
	...each('setpriv xvfb-run dbus-run-session systemd-run valgrind fakeroot rlwrap unbuffer torsocks', plainRunner),
	...each(
		'proxychains caffeinate cgexec prlimit numactl pkexec run0 linux32 linux64 i386 x86_64 firejail bwrap',
		plainRunner,
	),
	...each('taskset flock chrt runcon faketime setarch sshpass', {runs: 1, options: /^(?:-c|--command)$/}),
	['perf', {runs: 1}],
	['ssh', {runs: 1, flags: '46AaCfGgKkMNnqsTtVvXxYy', options: /^-o$/}],
	...each('unshare nsenter', {...shellOnInput, flags: 'rmuinpUCTfckaFZ'}),
	...each('su runuser chroot sg newgrp', {
		runs: 1,
		flags: 'lmpfP',
		options: /^(?:-\w*c|--command|--session-command)$/,
		readsInput: true,
	}),
	['script', {options: /^(?:-\w*c|--command)$/, readsInput: true}],
	...each('trap', plainRunner),
	...each('hash enable complete compgen mapfile readarray bind jobs', {options: /^-\w*[pfCFxWA]$/}),
	['alias', {options: /^[^-]/}],
	...each('source .', {runs: 0, runsFile: true, readsInput: true}),
	[
		'at',
		{
			becomes: {
				words: /^(?:now|noon|midnight|teatime|today|tomorrow|\d.*)$/,
				runner: {runs: Infinity, runsFile: true, readsInput: true},
			},
		},
	],
	['batch', {runs: 0, runsFile: true, readsInput: true}],
	['crontab', {runs: 0, runsFile: true, readsInput: true, takes: ['-u'], idle: /^-[ler]$/}],
	['python', interpreter(/^-\w*c$/, ['-W', '-X', '-Q'], /^-h$/)],
	['pypy', interpreter(/^-\w*c$/, ['-W', '-X'], /^-h$/)],
	['perl', interpreter(/^-\w*[eE]$/)],
	['ruby', interpreter(/^-\w*e$/, ['-I', '-r', '-C'])],
	...each(
		'node nodejs bun',
		interpreter(
			/^(?:-p?e|-p|--eval|--print)$/,
			['-r', '--require', '--import', '-C', '--conditions'],
			/^(?:-v|--test|--test=.*)$/,
		),
	),
	['deno', {options: /^eval$/}],
	['php', interpreter(/^-[rBRE]$/, ['-d', '-c', '-z'])],
	['lua', interpreter(/^-e$/, ['-l'])],
	...each('tclsh wish expect', interpreter(/^-c$/)),
	['Rscript', interpreter(/^-e$/)],
	[
		'tar',
		{
			options:
				/^(?:-\w*[IF]|--(?:use-compress-program|(?:to|rsh)-command|(?:info|new-volume)-script|checkpoint-action))$/,
		},
	],
	['rsync', {options: /^(?:-\w*e|--rsh|--rsync-path)$/}],
	...each('scp sftp', {options: /^-[oS]$/}),
	['man', {options: /^(?:-[PH]|--pager|--html)$/}],
	...each('vi vim nvim ex view emacs', {options: /^(?:-c|--cmd|\+|-?-eval)$/}),
	['gdb', {options: /^(?:-i?ex|--?(?:init-)?eval-command)$/}],
	['make', {options: /^--eval$/, readsInput: true, runsFile: true}],
	['git', {options: /^(?:-x|--exec|--upload-pack|--receive-pack|--extcmd|--\w+-filter|run|foreach)$/}],
	['split', {options: /^--filter$/}],
	['sort', {options: /^--compress-program$/}],
	['rg', {options: /^--pre$/}],
	['fzf', {options: /^--(?:preview|bind)$/}],
	['npm', {options: /^(?:exec|x|--call)$/}],
	...each('xterm gnome-terminal', {options: /^-[ex]$/}),
]);

function each(names: string, runner: CommandRunner): ReadonlyArray<readonly [string, CommandRunner]> {
	return names.split(' ').map(name => [name, runner]);
}
