import {readTextIn} from './git-files.ts';
import {isObjectName} from './git-refs.ts';
import {branchOf, linesMatch} from './git-state.ts';

/**
The folders of unfinished operations. `rebase-apply` (patches) is never applied, because its files have too many forms.
*/
export const operations = ['rebase-merge', 'rebase-apply', 'sequencer'] as const;
export type Operation = (typeof operations)[number];

/**
Tells whether git can do all steps of an unfinished operation without other programs. A todo list may name programs
(`exec`), and other files may name merge strategies and options, which can also run programs.
*/
export function isPlainOperation(top: string, folder: string, operation: Operation, names: readonly string[]): boolean {
	return names.every(name => {
		const check = checks[operation].find(([known]) => known.test(name))?.[1];
		const text = check === undefined ? undefined : readTextIn(top, `${folder}/${name}`, maxBytes);
		return text !== undefined && check?.(text) === true;
	});
}

const maxBytes = 16 * 1024 * 1024;

type Check = (text: string) => boolean;
type Checks = ReadonlyArray<readonly [names: RegExp, check: Check]>;

/**
The name of an object, which may be abbreviated. inkpod applies no reference with such a name, so it always means an
object.
*/
const short = '[\\da-f]{7,64}';
const commands = [
	...['pick', 'p', 'reword', 'r', 'edit', 'e', 'squash', 's', 'drop', 'd', 'revert'].map(name => `${name} ${short}`),
	...['fixup', 'f'].map(name => `${name}(?: -[cC])? ${short}`),
].join('|');
/** A line of a todo list. The subject of the commit follows the name of the object. */
const step = new RegExp(`^(?:|#[^\\0]*|(?:${commands})(?: [^\\0]*)?|noop|break|b)$`);

const isTodo: Check = text => linesMatch(text.endsWith('\n') ? text : `${text}\n`, step);
const isText: Check = text => !text.includes('\0');
const isEmpty: Check = text => text.trim() === '';
const isNumber: Check = text => /^\d*\n?$/.test(text);
const isObject: Check = text => isObjectName(text.replace(/\n$/, ''));
const isShort: Check = text => new RegExp(`^${short}\n?$`).test(text);
const isPairs: Check = text => linesMatch(text, new RegExp(`^${short}(?: ${short})?$`));
const isHeadName: Check = text => /^detached HEAD\n?$/.test(text) || branchOf(`ref: ${text}`) !== undefined;
/** Older versions of git run this file as a shell script. Text in single quotes has no special meaning there. */
const isAuthor: Check = text =>
	/^(?:GIT_AUTHOR_(?:NAME|EMAIL|DATE)=(?:'[^'\0]*'|\\['!])*\n)*$/.test(text.endsWith('\n') ? text : `${text}\n`);
/** Only options with a boolean value, and `mainline` with a number. */
const isSwitches: Check = text =>
	linesMatch(
		text,
		new RegExp(
			String.raw`^\[options\]$|^\t(?:edit|allow-\w[\w-]*|no-commit|record-origin|` +
				String.raw`keep-redundant-commits) = (?:true|false)$|^\tmainline = \d+$`,
		),
	);

const common: Checks = [
	[/^(?:head-name)$/, isHeadName],
	[/^(?:onto|orig-head|autostash)$/, isObject],
	[/^author-script$/, isAuthor],
	[/^(?:quiet|verbose)$/, text => /^(?:[tf]|-v)?\n?$/.test(text)],
];
const checks: Readonly<Record<Operation, Checks>> = {
	'rebase-merge': [
		...common,
		[/^(?:git-rebase-todo|git-rebase-todo\.backup|done)$/, isTodo],
		[/^(?:end|msgnum)$/, isNumber],
		[/^(?:message|message-squash|message-fixup|fixup-message|patch)$/, isText],
		[/^(?:amend|squash-onto)$/, isObject],
		[/^stopped-sha$/, isShort],
		[/^(?:rewritten-list|rewritten-pending|dropped)$/, isPairs],
		[/^current-fixups$/, text => linesMatch(`${text.trimEnd()}\n`, new RegExp(`^(?:fixup|squash) ${short}$|^$`))],
		[/^(?:interactive|no-reschedule-failed-exec|update-refs)$/, isEmpty],
		[/^(?:drop_redundant_commits|keep_redundant_commits|cdate_is_adate|ignore_date|signoff)$/, isEmpty],
	],
	'rebase-apply': [],
	sequencer: [
		[/^todo$/, isTodo],
		[/^(?:head|abort-safety)$/, text => isEmpty(text) || isObject(text)],
		[/^opts$/, isSwitches],
	],
};
