import {runnerOf} from './command-runners.ts';

/** What may follow the first words of a pattern. A command with any other word or option needs approval. */
export type PatternFacts = {
	/** The possible third words, if the pattern has a third word, such as the name of a script in `npm run lint *`. */
	readonly third?: RegExp;
	/** Whether the third word is the name of a script, which may also be the name of a program. */
	readonly isScript?: true;
	/** The options that run nothing and do not choose a file to write. */
	readonly options?: RegExp;
	/** The options after `--` that run nothing and do not choose a file to write. */
	readonly laterOptions?: RegExp;
	/**
	The other words. `names`: paths and names. `revisions`: also revisions of git. `texts`: also names of tests with
	blanks. `messages`: also any text with a blank. `refs`: only `origin` and then names of branches. Any other word in
	place of the remote may be an address on any machine, or a repository in the project whose hooks `git push` runs.
	*/
	readonly words: 'none' | 'names' | 'refs' | 'revisions' | 'texts' | 'messages';
};

/**
Returns the facts about a program and its subcommand, or `undefined` if no pattern may allow it. An older saved rule may
be for a program that is not listed. It still allows names and plain options, as it did when it was saved.
*/
export function patternFacts(program: string, subcommand: string): PatternFacts | undefined {
	const known = programs.get(program);
	if (known !== undefined) return known.find(([subcommands]) => subcommands.test(subcommand))?.[1];
	// An uppercase name counts as a runner, because some file systems ignore case in the names of programs.
	const isRunner = program !== program.toLowerCase() || runnerOf(program) !== undefined;
	return isRunner ? undefined : {options: plainOptions, words: 'names'};
}

/**
Tells whether a card may offer a pattern: only for a listed program, whose arguments are data. A task or a script needs
a name that usually checks or builds.
*/
export function isOffered([program = '', subcommand = '', name]: readonly string[]): boolean {
	const known = programs.get(program);
	if (known === undefined) return false;
	if (known === targets) return usualTask.test(subcommand);
	const facts = known.find(([subcommands]) => subcommands.test(subcommand))?.[1];
	return facts !== undefined && (facts.isScript !== true || usualTask.test(name ?? ''));
}

const usualTask = new RegExp(
	`^(?:${[
		'tests?|unit|e2e|spec|lint|check|checks|verify|validate|ci|build|compile|bundle|all|types?|typecheck|type-check',
		'tsc|format|fmt|prettier|eslint|vitest|jest|coverage|docs?|bench|benchmark|start',
	].join('|')})(?:[\\d]*|[:._-][\\w:.-]*)$`,
);

/** The options of programs that only output a part of their input. No option takes a file. */
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

/** The options that test runners, linters and compilers have in common. `npm test --` passes them to such a program. */
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
/** yarn and pnpm pass the options after the name of a script to the script. */
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
/** Any further word would be another target, so it needs approval. */
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
