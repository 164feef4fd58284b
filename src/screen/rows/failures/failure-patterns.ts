/**
The way in which a program marks its failures. A block begins with a line that `begins` matches. It continues until a
line that `begins` or `ends` matches. The expressions are matched against a line without colours. They are anchored, and
their time is linear in the length of the line.
*/
export type FailurePattern = {
	/** The words of a command line that name the program. */
	readonly names: readonly string[];
	readonly begins: RegExp;
	/**
	Matches more lines with which a block may begin. Such lines are not distinctive, so they count only if the command
	line names the program.
	*/
	readonly named?: RegExp;
	/** Matches the line after which the first block may begin. */
	readonly after?: RegExp;
	/** Matches the lines directly before a block that belong to this block, unless another block contains them. */
	readonly leads?: RegExp;
	readonly ends?: RegExp;
	/** Matches the lines that are shown below the first line of a block. Other lines are left out. */
	readonly only?: RegExp;
	/** Whether a block with only one line is not a failure. */
	readonly needsMore?: true;
	/** Matches the lines of a block that are left out. */
	readonly noise?: RegExp;
};

/**
The programs whose failures are known. If the output has blocks of several programs, the first program that the command
line names is used, or else the first program in this list. So programs that start other programs are last. Their
patterns match their own failures, but not the lines with which they report that another program failed.
*/
export const failurePatterns: readonly FailurePattern[] = [
	// node:test, and other programs that print TAP.
	{
		names: ['node', 'tap'],
		begins: /^(?:test at .+:\d+:\d+$|\s*not ok \d+)/,
		ends: /^(?:ℹ |\s*ok \d+|\s*# |\s*1\.\.\d)/,
		noise: /^\s+(?:(?:---|\.{3})$|(?:duration_ms|\w*[tT]ype|code|name|generatedMessage|operator|diff): |\}|.*\(node:)/,
	},
	{
		names: ['jest'],
		begins: /^ {2}● (?!Console)/,
		ends: /^ {0,3}\S/,
		noise: /^\s+(?:\d+ )?\|/,
	},
	{
		names: ['vitest'],
		begins: /^(?: ?FAIL {2}\S|⎯+ Unhandled (?:Errors?|Rejection) ⎯)/,
		ends: /^(?:⎯{3}| *Test Files )/,
		noise: /^(?:\s+\d*\s?\||[-+] (?:Expected|Received)\b)/,
	},
	{
		names: ['mocha'],
		begins: /^ {2}\d+\) /,
		after: /^\s+\d+ failing$/,
		noise: /^\s+\+ expected - actual$/,
	},
	{
		names: ['pytest', 'py.test'],
		begins: /^(?:_{3,} .+ _{3,}$|(?:FAILED|ERROR) \S+\.py(?:::|\s|$))/,
		ends: /^={3,} /,
		only: /^(?:>|E {3}|\S.*:\d+: )/,
	},
	{
		names: ['go', 'gotestsum'],
		begins: /^(?:\s*--- FAIL: |panic: |(?:vet: )?\S+\.go:\d+:\d+: |FAIL\t.+\[(?:build|setup) failed\])/,
		leads: /^\s+\S+\.go:\d+: /,
		ends: /^(?:FAIL$|FAIL\t|ok {2}|PASS$|exit status |=== |\?\s|# )/,
		noise: /^(?:goroutine \d|testing\.|created by |\s+\/.*\/src\/(?:testing|runtime)\/)/,
	},
	{
		names: ['cargo', 'rustc'],
		begins: /^(?:error\[E\d+\]: |---- .+ stdout ----$|thread '.*' (?:\(\d+\) )?panicked at )/,
		named: /^error: (?!could not compile|test failed|aborting|\d+ targets? failed)/,
		ends: /^(?:error: |warning|failures:|test result: |For more information|Some errors have)/,
		noise: /^(?:\s*\|$|note: |stack backtrace:|\s+\d+: |\s+at )/,
	},
	{
		names: ['tsc', 'vue-tsc'],
		begins: /^(?:.+\(\d+,\d+\): |.+:\d+:\d+ - )?error TS\d+: /,
		ends: /^[^\s\d]/,
		noise: /^\s*~+$/,
	},
	{
		names: ['eslint'],
		begins: /^(?:\/|[A-Za-z]:\\).*\.\w+$/,
		ends: /^✖ /,
		only: /^\s+\d+:\d+\s+error\s/,
		needsMore: true,
	},
	{
		names: ['ruff', 'flake8'],
		begins: /^(?:\S.*\.(?:pyi?|ipynb):\d+:\d+: | +--> .+\.(?:pyi?|ipynb):\d+:\d+$)/,
		leads: /^(?:[A-Z]{1,4}\d{3,4}|invalid-syntax):? /,
		ends: /^[^\s\d]/,
		noise: /^\s*\|$/,
	},
	{
		names: ['gcc', 'g++', 'cc', 'c++', 'clang', 'clang++'],
		begins: /^(?:.+?:\d+(?::\d+)?: (?:fatal )?error: |.*\bundefined reference to |.*\bld: cannot find )/,
		leads: /^(?:.+: In .+:|In file included from .+|\s+from .+[:,])$/,
		ends: /^\S/,
	},
	{
		names: ['gradle', 'gradlew'],
		begins: /^(?:\* What went wrong:|\S+ > .+ FAILED$|e: (?:file:|\/))/,
		named: /^.+:\d+: error: /,
		ends: /^(?:\* (?:Try|Exception|Get)|BUILD FAILED|FAILURE: |> Task|\d+ tests? completed|\d+ errors?$|w: )/,
	},
	{
		names: ['mvn', 'mvnw', 'maven'],
		begins: /^\[ERROR\] +(?!To see the full|Re-run Maven|For more information|After correcting|\[Help|->|See |Please )\S/,
		ends: /^\[(?:INFO|WARNING)\]/,
		noise: /^(?:\[ERROR\]|\s+at (?:org\.junit|org\.apache\.maven|java\.base|jdk\.internal)[./])/,
	},
	{
		names: ['make', 'gmake'],
		begins: /^(?:\S*make(?:\[\d+\])?|[^:\s]+:\d+): \*\*\* (?!\[)/,
		ends: /./,
	},
	{
		names: ['npm', 'npx'],
		begins: /^npm (?:error|ERR!) (?:code E|Missing script|could not determine)/,
		ends: /^(?!npm (?:error|ERR!))/,
		noise: /^npm (?:error|ERR!)(?:$| A complete log| {4}| \/.*-debug)/,
	},
];

/**
Matches each line at which a block of any program may begin, or after which the first block may begin. Most lines do not
match.
*/
export const anyMark = new RegExp(
	`^(?:${failurePatterns
		.flatMap(({begins, named, after}) => [begins, named, after])
		.flatMap(mark => (mark === undefined ? [] : [mark.source]))
		.join('|')})`,
);

/** Matches words in a line that probably says what failed, and positions in files. */
export const failureWords = /error|fail|panic|traceback|✖|\.[a-z]\w{0,7}:\d/i;

/** Matches texts that say that nothing failed. They do not count as words of failure. */
export const successWords =
	/\b(?:0|no) (?:errors?|fail(?:ed|ures?|ing)?)\b|\b(?:errors?|fail(?:ed|ures?|ing)?):? 0\b/gi;

/** Matches a line that says that something succeeded. */
export const successLine = /^\s*(?:✓|✔|√|ok\b|PASS\b)/i;

/** Matches a line that never says anything about a failure, even if it contains words of failure. */
export const noticeLine = /^npm notice\b/;

/** Matches a line that shows progress: a percentage at its beginning or end, a bar, a spinner, or a download. */
export const progressLine = new RegExp(
	[
		/^\s*(?:\[\s*)?\d{1,3}(?:\.\d+)?%|\d%[\])]?$|\d% \(\d+\/\d+\)/,
		/[█▓▒░━╸]{3}|\[[=#>. -]{5,}\]|^\s*[⠁-⣿]/,
		/^\s*(?:Compiling|Downloading|Downloaded|Collecting) /,
	]
		.map(({source}) => source)
		.join('|'),
);

/** Matches a stack frame in the code of Node or of a package. */
export const foreignFrame = /^\s+at .*(?:\(|at |\/)(?:node:|node_modules[\\/])/;
