import {readOptions} from './start/options.ts';
import type {Values} from './start/options.ts';
import type {Entry} from './start/subcommand.ts';
import {onlyWith} from './start/texts.ts';
import {chat} from './subcommands/chat.ts';
import {subcommands, table} from './subcommands/list.ts';

export type Parsed = ReturnType<typeof chat.parse> | ReturnType<(typeof subcommands)[number]['parse']>;
export type Launch = Extract<Parsed, {readonly ok: true}>['launch'];

export const subcommandNames: readonly string[] = subcommands.map(({name}) => name);

/** Parses argv (without node and script). If there is a mistake, returns one sentence. */
export function parseLaunch(argv: readonly string[]): Parsed {
	const read = readOptions(argv, allOptions);
	if (!read.ok) return read;
	const {values, words} = read;
	if (values['help'] === true || values['version'] === true) return chat.parse(words, values);
	const [name, ...rest] = words;
	const found = values['print'] === true ? undefined : subcommands.find(subcommand => subcommand.name === name);
	if (found?.isChat === false) return found.parse(rest, values);
	const misplaced = misplacedOption(values, found?.options ?? {});
	if (misplaced !== undefined) return {ok: false, sentence: misplaced};
	return found === undefined ? chat.parse(words, values) : found.parse(rest, values);
}

const allOptions = Object.fromEntries(table.flatMap(({options}) => Object.entries(options)));

/** Returns a sentence if an option belongs to another subcommand. `own` contains the options of this subcommand. */
function misplacedOption(values: Values, own: object): string | undefined {
	const given = Object.keys(values).find(name => !(name in chat.options) && !(name in own));
	if (given === undefined) return undefined;
	return onlyWith(`--${given}`, subcommands.filter(({options}) => given in options).map(ownerOf(given)));
}

/**
Returns the name of the subcommand that has an option. If the option belongs to one action, the name includes the
action: `mcp login`.
*/
function ownerOf(option: string): (entry: Entry) => string {
	return ({name, forms}) => {
		const [form, ...others] = forms.filter(({options}) => options?.includes(option));
		const [action] = others.length === 0 ? (form?.words?.split(' ') ?? []) : [];
		return action === undefined ? name : `${name} ${action}`;
	};
}
