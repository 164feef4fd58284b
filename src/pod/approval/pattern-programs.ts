import {runnerOf} from './command-runners.ts';

/** What may follow the first words of a pattern. All words and options that are not listed need approval. */
export type PatternFacts = {
	/** If the pattern contains one more word, such as the name of a script in `npm run lint *`: the possible words. */
	readonly third?: RegExp;
	/** Whether the third word is any name, so that it may also name a program. */
	readonly isScript?: true;
	/** The options that run nothing and write no file of their choice. */
	readonly options?: RegExp;
	/** The same for the options after `--`. */
	readonly laterOptions?: RegExp;
	/**
	The other words. `names`: paths and names. `revisions`: also those of git. `texts`: also names of tests with blanks.
	`messages`: any text with a blank. `refs`: only `origin` and then names of branches. Any other word in place of the
	remote may be an address on any machine, or a repository in the project whose hooks `git push` runs.
	*/
	readonly words: 'none' | 'names' | 'refs' | 'revisions' | 'texts' | 'messages';
};

/** Returns the facts about a program and its subcommand, or `undefined` if no pattern may allow it. */
export function patternFacts(program: string, subcommand: string): PatternFacts | undefined {
	const known = programs.get(program);
	if (known !== undefined) return known.find(([subcommands]) => subcommands.test(subcommand))?.[1];
	// Some file systems ignore case in the names of programs.
	if (program !== program.toLowerCase()) return undefined;
	const isRisky = runsOthers(program) || riskySubcommand.test(subcommand) || namesProgram(subcommand);
	return isRisky ? undefined : {options: plainOptions, words: 'names'};
}

function runsOthers(program: string): boolean {
	return runnerOf(program) !== undefined || isExcluded(program);
}

/** Tells whether the second word is more likely a program than a subcommand: an unknown program may run it. */
function namesProgram(word: string): boolean {
	return !usualSubcommands.has(word) && (programs.has(word) || runsOthers(word));
}

/** Tells whether a program runs its arguments, or has files and not subcommands as arguments. */
export function isExcluded(program: string): boolean {
	return excluded.has(program) || excluded.has(program.replace(/[\d.-]+$/, ''));
}

/** The options of programs that only pass on a part of their input. A file is never among them. */
export const filters: ReadonlyMap<string, RegExp> = new Map([
	['head', listOf(/-\d+|-[nc] ?[+-]?\d+[kKmM]?|--lines=[+-]?\d+|-q/)],
	['tail', listOf(/-\d+|-[nc] ?[+-]?\d+[kKmM]?|--lines=[+-]?\d+|-q/)],
	['wc', listOf(/-[lwcmL]+|--(?:lines|words|bytes|chars)/)],
	['sort', listOf(/-[bdfghiMnRrVu]+|-k ?\d+(?:\.\d+)?[bdfghiMnRrV]*(?:,\d+(?:\.\d+)?[bdfghiMnRrV]*)?/)],
]);

function listOf(option: RegExp): RegExp {
	return new RegExp(`^(?:(?:${option.source})(?: |$))*$`);
}

/** Each option is compared with its whole text, so an abbreviation or a longer name needs approval. */
function options(...sources: readonly string[]): RegExp {
	return new RegExp(`^(?:${sources.join('|')})$`, 'u');
}

const plainOptions = options('-[vqh]', '--(?:verbose|quiet|silent|json|no-color|help|version|list|dry-run)');

/** What runners of tests, linters and compilers have in common. They get it from `npm test --`. */
const testOptions = options(
	'-[vqhtgkxsi]|-n\\d+|-j\\d+',
	'--(?:verbose|quiet|silent|json|no-color|color|help|version|list|dry-run|ci|run|bail|coverage|no-coverage)',
	'--(?:runInBand|no-watch|fail-fast|no-fail-fast|nocapture|exact|ignored|include-ignored|testNamePattern|grep)',
	'--(?:watch|coverage|bail|retry|maxfail|maxWorkers|test-threads|color)=(?:\\d+|true|false|never|always|auto)',
	'--(?:testNamePattern|grep)=[\\p{L}\\p{N} _.,:-]*',
	'--reporter=(?:verbose|dot|default|basic|json|tap|spec|min|list|line)',
);

const scriptOptions = '-s|--silent|--if-present|-ws?|--workspaces|--workspace=[\\w@/.-]+|-r|--recursive|--no-color';

const scriptName = /^[A-Za-z][\w:.-]{0,59}$/;
const script: PatternFacts = {options: options(scriptOptions), laterOptions: testOptions, words: 'texts'};
/** yarn and pnpm pass the options after the name of the script to it. */
const ownScript: PatternFacts = {options: testOptions, laterOptions: testOptions, words: 'texts'};
const inspection: PatternFacts = {options: plainOptions, words: 'names'};
const alone: PatternFacts = {words: 'none'};

const gitViews = options(
	'-\\d+|-n ?\\d*|-[apswbrvzMC]|-vv|-U\\d+|-[MC]\\d+%?|-[SGL][\\p{L}\\p{N} _.,:/-]+|-[SGL]|-u(?:no|all|normal)?',
	'--(?:oneline|stat|shortstat|numstat|dirstat|summary|name-only|name-status|graph|all|decorate|cached|staged)',
	'--(?:patch|no-patch|follow|merges|no-merges|first-parent|reverse|short|branch|branches|tags|remotes|long|list)',
	'--(?:porcelain|no-color|color|word-diff|color-words|minimal|patience|histogram|check|exit-code|quiet|no-prefix)',
	'--(?:ignore-all-space|ignore-space-change|ignore-blank-lines|no-ext-diff|no-textconv|no-renames|full-index)',
	'--(?:abbrev-commit|abbrev-ref|show-toplevel|show-current|show-prefix|git-dir|verify|is-inside-work-tree|count)',
	'--(?:ignored|others|modified|deleted|exclude-standard|stage|merged|no-merged|contains|always|dirty|topo-order)',
	'--(?:max-count|skip|unified|abbrev|stat|diff-filter|untracked-files|decorate|color|word-diff|porcelain|date)=\\w+',
	'--(?:since|until|after|before|author|committer|grep|format|pretty|sort|points-at)=[^\\\\$`]*',
);
const gitPrograms: readonly Entry[] = [
	[
		/^(?:status|diff|log|show|blame|rev-parse|rev-list|ls-files|ls-tree|describe|shortlog|merge-base|name-rev)$/,
		{options: gitViews, words: 'revisions'},
	],
	[/^branch$/, {options: options('-[arv]|-vv|--(?:all|remotes|list|show-current|merged|no-merged)'), words: 'names'}],
	[/^add$/, {options: options('-[Auvn]|--(?:all|update|verbose|dry-run|intent-to-add)'), words: 'names'}],
	[
		/^commit$/,
		{
			options: options('-[amqvs]|-am|-qm|-sm|--(?:all|amend|no-edit|quiet|verbose|signoff|message|allow-empty)'),
			words: 'messages',
		},
	],
	[/^fetch$/, {options: options('-[pqvt]|--(?:all|prune|tags|quiet|verbose)|--depth=\\d+'), words: 'refs'}],
	[/^push$/, {options: options('-[uqvn]|--(?:set-upstream|tags|quiet|verbose|dry-run)'), words: 'refs'}],
];

const goOptions = options(
	'--?(?:v|race|short|failfast|json|cover|benchmem|n|x|a|m|u|mod=(?:readonly|vendor))',
	'--?(?:run|skip|bench|count|timeout|parallel|p|cpu|tags|list|shuffle|benchtime)(?:=[\\w.,|^$/()*+-]*)?',
);
const cargoOptions = options(
	'-[vqpFj]|-j\\d+|-vv',
	'--(?:release|workspace|all|all-targets|all-features|no-default-features|lib|bins|tests|benches|examples|doc)',
	'--(?:no-run|no-fail-fast|quiet|verbose|locked|offline|frozen|package|features|test|bin|example|jobs|no-deps)',
	'--(?:check|message-format=(?:short|human|json)|package=[\\w-]+|features=[\\w,/-]+|test=[\\w-]+|bin=[\\w-]+)',
);
const cargoTest: PatternFacts = {options: cargoOptions, laterOptions: testOptions, words: 'names'};
const packageScripts: readonly Entry[] = [
	[/^(?:test|lint|build|typecheck|type-check|check|coverage)$/, ownScript],
	[/^run$/, {...ownScript, third: scriptName, isScript: true}],
	[/^(?:list|why|outdated)$/, inspection],
];
/** Their further words are other targets. */
const targets: readonly Entry[] = [[/./, {options: options('-[ksBn]|-j ?\\d*'), words: 'none'}]];

type Entry = readonly [subcommands: RegExp, facts: PatternFacts];

/** The known programs. A subcommand that is not listed here gets no pattern. */
const programs: ReadonlyMap<string, readonly Entry[]> = new Map<string, readonly Entry[]>([
	[
		'npm',
		[
			[/^(?:test|t|tst)$/, script],
			[/^(?:run|run-script)$/, {...script, third: scriptName, isScript: true}],
			[/^(?:ls|list|outdated|view|explain|why)$/, inspection],
			[/^(?:ci|audit)$/, alone],
		],
	],
	['vitest', [[/^(?:run|related|bench)$/, {options: testOptions, words: 'texts'}]]],
	['pnpm', packageScripts],
	['yarn', packageScripts],
	['git', gitPrograms],
	[
		'go',
		[
			[/^(?:test|vet|build|list|fmt)$/, {options: goOptions, words: 'names'}],
			[/^(?:version|env|doc)$/, {words: 'names'}],
			[/^mod$/, {third: /^(?:tidy|download|verify|graph)$/, words: 'none'}],
		],
	],
	[
		'cargo',
		[
			[/^(?:test|t|bench|nextest)$/, cargoTest],
			[/^clippy$/, {options: cargoOptions, laterOptions: options('-[DWA]'), words: 'names'}],
			[/^(?:build|b|check|c|doc|fmt|tree|metadata)$/, {options: cargoOptions, words: 'names'}],
		],
	],
	[
		'dotnet',
		[
			[
				/^(?:test|build)$/,
				{options: options('-[cvfn]|--(?:no-build|no-restore|nologo|filter|configuration)'), words: 'names'},
			],
		],
	],
	[
		'mvn',
		[
			[
				/^(?:test|compile|verify|package|clean)$/,
				{options: options('-[qBeo]|-am|-Dtest=[\\w.#,*]+'), words: 'none'},
			],
		],
	],
	[
		'gradle',
		[[/^(?:test|build|check|assemble)$/, {options: options('-[qi]|--(?:info|quiet|stacktrace)'), words: 'none'}]],
	],
	[
		'gh',
		[
			[
				/^(?:pr|issue|run|release|repo|workflow)$/,
				{
					third: /^(?:list|view|diff|checks|status)$/,
					options: options('-[LR]|--(?:json|comments|state|limit|log|log-failed)'),
					words: 'names',
				},
			],
		],
	],
	[
		'docker',
		[
			[
				/^(?:ps|images|logs|version|info)$/,
				{options: options('-[aqtn]|--(?:all|quiet|tail|since)'), words: 'names'},
			],
		],
	],
	...'make gmake just task rake invoke inv gulp grunt nx turbo lerna ant sbt lein bazel tox nox'
		.split(' ')
		.map((name): readonly [string, readonly Entry[]] => [name, targets]),
]);

/** Subcommands of many programs, although programs have the same names. */
const usualSubcommands: ReadonlySet<string> = new Set(
	'test info task check list diff sort stat time date host id file graph paste join head tail ps age port'.split(' '),
);

const riskySubcommand = new RegExp(
	`^(?:${[
		'run|exec|execute|x|dlx|eval|shell|sh|bash|ssh|console|repl|runner|scripts?|tasks?|tool|do|call|invoke|start',
		'spawn|debug|attach|open|i|install|add|create|init|new|generate|gen|get|publish|release|deploy|apply|destroy',
		'delete|del|remove|rm|uninstall|purge|clean|reset|login|logout|auth|config|configure|set|alias|plugins?|hooks?',
		'env|edit|import|load|source|serve|server|upgrade|update|push|pull|upload|download|send|cp|mv|copy|move|sync',
		'write|put|post|patch|kill|stop|restart|enable|disable|mount|format|migrate|drop|with|use|and|proxy|tunnel',
		'record|rec|trace|profile|prof|wrap|watch|bench|benchmark|time|enter|foreach|each|command|cmd',
	].join('|')})(?:[:-].*)?$`,
	'i',
);

/** Programs that run other programs, change the machine, or have files and texts in place of subcommands. */
const excluded: ReadonlySet<string> = new Set(
	[
		'sh bash zsh dash ksh fish csh tcsh ash busybox toybox pwsh powershell cmd env xargs parallel sudo doas su ssh',
		'node nodejs deno bun tsx ts-node swc-node esbuild-node python pypy perl ruby php lua luajit R Rscript julia',
		'java jshell groovy scala kotlin kotlinc clojure ghc runghc runhaskell elixir iex erl escript racket guile sbcl',
		'npx bunx pnpx uvx pipx uv poetry pdm pipenv hatch rye conda mamba micromamba bundle nix mise asdf direnv',
		'rbenv pyenv nvm fnm volta corepack tclsh wish expect osascript swift dart flutter zig v nim crystal bc dc',
		'find fd fdfind locate awk gawk mawk nawk sed gsed ed ex vi vim nvim view emacs nano micro code subl less more',
		'most man info watch entr nodemon concurrently cross-env dotenv forever pm tmux screen zellij script expect',
		'ls cat head tail wc sort uniq cut tr tee cp mv rm mkdir rmdir touch ln chmod chown chgrp dd echo printf test',
		'grep egrep fgrep rg ag ack diff patch cmp comm paste join split csplit file stat du df tree realpath readlink',
		'pwd cd pushd popd dirname basename seq yes sleep date id who whoami uname hostname true false expr factor',
		'ps kill pkill killall top htop lsof strace ltrace gdb lldb perf valgrind time timeout nice nohup setsid stdbuf',
		'curl wget http https xh nc ncat netcat socat telnet ftp sftp scp rsync rclone dig nslookup host ping openssl',
		'tar zip unzip gzip gunzip bzip bunzip xz unxz zstd ar cpio base64 xxd od hexdump strings shred truncate install',
		'gpg age pass op jq yq xmllint sqlite psql mysql mongo mongosh redis-cli duckdb gcc g++ cc c++',
		'clang clang++ ld as tcc m',
		'pip gem brew apt apt-get aptitude dpkg rpm yum dnf pacman zypper apk snap flatpak port choco winget scoop',
		'systemctl service launchctl crontab at batch mount umount mkfs fdisk iptables ip ifconfig sysctl modprobe',
		'kubectl helm k9s podman nerdctl ctr lxc vagrant terraform tofu pulumi ansible ansible-playbook packer',
		'aws gcloud az doctl fly flyctl heroku vercel netlify wrangler firebase svn hg jj bzr cvs fossil tig lazygit',
		'rr samply py-spy rbspy uftrace nsys ncu vtune austin scalene kernprof mprof heaptrack memray hyperfine bear',
		'ssh-agent mosh autossh sshuttle pssh pdsh clush dsh et kitten kitty wezterm dtach abduco daemon daemonize',
		'eatmydata chronic ifne pee cpulimit fakechroot proot nsjail trickle tsocks torify dbus-launch run-parts',
		'setuidgid softlimit chpst envdir runsv s6-setuidgid tini dumb-init gosu su-exec capsh choom uclampset coresched',
		'ccache distcc sccache icecc doppler chamber dotenvx foreman honcho overmind rustup toolbox distrobox sudo-rs',
		'mksh lksh pdksh yash rbash posh sash hush osh oil xonsh nu elvish ipython ptpython jython micropython hy coffee',
		'vite-node babel-node esno jiti qjs d8 janet fennel luau moon gosh csi gsi chibi-scheme cling wasmtime wasmer',
		'qemu-x86_64 qemu-i386 qemu-arm qemu-aarch64 wine wine64 mono dosbox box64 rosetta arch octave gnuplot m4 make4ht',
		'ansible-console start-stop-daemon uname26 catchsegv stress-ng ts sage gp maxima gimp blender',
		'docker-compose chroot unshare nsenter bwrap firejail runuser xdg-open open start mail sendmail source eval',
	].flatMap(line => line.split(' ')),
);
