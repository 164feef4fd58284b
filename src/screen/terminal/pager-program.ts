import {realpath} from 'node:fs/promises';
import {basename} from 'node:path';
import {findInstalled, programOf, type Env, type Program, type ProgramProblem, type Programs} from './program.ts';
import {
	noPager,
	notHandedOver,
	notPermitted,
	passesControls,
	programFailed,
	programNotFound,
	unreadableCommand,
} from './texts.ts';

/**
A program that shows a text, with its environment. `instead`: whether less replaces the user's pager, which would send
control characters to the terminal.
*/
type Pager = {readonly program: Program; readonly env: Env; readonly instead?: string};

/** The reasons why no pager is available. `pagerSentence` has a sentence for each. */
type PagerProblem =
	| {readonly reason: 'none'}
	| {readonly reason: 'raw'; readonly program: string}
	| {readonly reason: 'quotes'; readonly command: string}
	| ProgramProblem;

/**
Finds a pager that cannot control the terminal: `$PAGER`, otherwise less, otherwise more. Only less is known to show
control characters in a visible form. Its variables or `$PAGER` may change that, so those settings are overridden. Other
pagers are used only for texts without control characters.
*/
export async function findPager({env, find}: Programs, text: string): Promise<Pager | PagerProblem> {
	const words = env['PAGER'];
	const isNamed = words !== undefined && words.trim() !== '';
	const wanted = isNamed
		? programOf(words, find)
		: (findInstalled(['less', 'more'], find) ?? {reason: 'none' as const});
	if ('reason' in wanted) return wanted;
	if (basename(wanted[0]) === 'less') return inertLess(wanted, env);
	if (isInert(text)) return {program: wanted, env};
	const less = findInstalled(['less'], find);
	return less === undefined
		? {reason: 'raw', program: wanted[0]}
		: {...(await inertLess(less, env)), instead: wanted[0]};
}

/** Returns one sentence about the problem. Names are untrusted. */
export function pagerSentence<Reason extends PagerProblem['reason']>(problem: ProblemOf<Reason>): string {
	const reason: Reason = problem.reason;
	return sentences[reason](problem);
}

type ProblemOf<Reason extends PagerProblem['reason']> = {
	readonly [Each in Reason]: ProblemMap[Each] & {readonly reason: Each};
}[Reason];
type ProblemMap = {readonly [Each in PagerProblem as Each['reason']]: Each};

const sentences: {readonly [Reason in PagerProblem['reason']]: (problem: ProblemOf<Reason>) => string} = {
	none: () => noPager,
	raw: ({program}) => passesControls(program),
	quotes: ({command}) => unreadableCommand('pager', command),
	not_found: ({program}) => programNotFound('pager', program),
	not_permitted: ({program}) => notPermitted('pager', program),
	failed: ended => programFailed('pager', ended),
	io: ({detail}) => notHandedOver('pager', detail),
};

/** Tells whether a text cannot control a terminal. Every pager shows tabs and newlines safely. */
function isInert(text: string): boolean {
	return !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/u.test(text);
}

/**
The characters that a recent less shows as numbers: bidi controls, tags and other invisible ones. Characters with a
legitimate use (joiners, direction marks, emoji selectors) are shown as they are, because less cannot tell when they are
legitimate.
*/
const shownByNumber = [
	'AD',
	'34F',
	'115F-1160',
	'17B4-17B5',
	'200B',
	'2028-202E',
	'2060-206F',
	'3164',
	'FE00-FE0D',
	'FEFF',
	'FFA0',
	'FFF0-FFFB',
	'1BCA0-1BCA3',
	'1D173-1D17A',
	'E0000-E0FFF',
]
	.map(range => `${range}:b`)
	.join(',');

/**
Configures less: no raw output, no early exit, no preprocessor, and a character set without controls. The less of
Busybox has none of these options and needs none.
*/
async function inertLess([program, ...args]: Program, env: Env): Promise<Pager> {
	const real = await realpath(program).catch(() => program);
	const resets = basename(real) === 'busybox' ? [] : ['-+R', '-+r', '-+F', '-+E', '-+e'];
	const {LESS: _options, LESSOPEN: _open, LESSCLOSE: _close, LESSCHARSET: _set, LESSCHARDEF: _def, ...rest} = env;
	return {program: [program, ...args, ...resets], env: {...rest, LESSUTFCHARDEF: shownByNumber}};
}
