import {readOptions} from './start/read-options.ts';
import type {Values} from './start/options.ts';
import {onlyWith} from './start/usage-texts.ts';
import {chat} from './subcommands/chat.ts';
import {subcommands, table} from './subcommands/list.ts';

export type Parsed = ReturnType<typeof chat.parse> | ReturnType<(typeof subcommands)[number]['parse']>;
export type Launch = Extract<Parsed, {readonly ok: true}>['launch'];

export const subcommandNames: readonly string[] = subcommands.map(({name}) => name);

/** Parses argv (without node and script). For a mistake it returns one sentence. */
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

/** Returns a sentence about an option of another subcommand. `own` are the options that are right. */
function misplacedOption(values: Values, own: object): string | undefined {
	const given = Object.keys(values).find(name => !(name in chat.options) && !(name in own));
	if (given === undefined) return undefined;
	const owners = subcommands.filter(({options}) => given in options);
	return onlyWith(
		`--${given}`,
		owners.map(({name}) => name),
	);
}
