import type {Launch} from '../args.ts';
import {nearestName} from '../../pod/index.ts';
import {askLine} from '../output/ask-line.ts';
import {askSubcommand, notSubcommand} from '../texts.ts';

/** The result for a word that is similar to a subcommand: other arguments, a prompt, or a refusal with a sentence. */
type Meant =
	| {readonly kind: 'arguments'; readonly argv: readonly string[]}
	| {readonly kind: 'prompt'}
	| {readonly kind: 'neither'; readonly sentence: string};

type AskIo = {
	/** The names of the subcommands. */
	readonly names: readonly string[];
	readonly stdin: NodeJS.ReadableStream & {readonly isTTY?: boolean};
	readonly stdout: NodeJS.WritableStream & {readonly isTTY?: boolean};
};

/**
Asks before a prompt of one word that resembles a subcommand is sent to a model, as in `inkpod sesions`. Without a
terminal the word is refused.
*/
export async function askMeant(argv: readonly string[], launch: Launch, io: AskIo): Promise<Meant> {
	const near = launch.command === 'chat' ? nearSubcommand(launch, io.names) : undefined;
	const at = near === undefined ? -1 : argv.lastIndexOf(near.word);
	// A quoted prompt and the words after `--` are always a prompt.
	if (near === undefined || at < 0 || argv.includes('--')) return {kind: 'prompt'};
	const {word, name} = near;
	if (io.stdin.isTTY !== true || io.stdout.isTTY !== true)
		return {kind: 'neither', sentence: notSubcommand(word, name)};
	const answer = await askLine(askSubcommand(word, name), {input: io.stdin, output: io.stdout});
	if (/^y(?:es)?$/i.test(answer)) return {kind: 'arguments', argv: argv.with(at, name)};
	return /^no?$/i.test(answer) ? {kind: 'prompt'} : {kind: 'neither', sentence: notSubcommand(word, name)};
}

type Near = {readonly word: string; readonly name: string};

/** Finds the subcommand that the user probably meant with a prompt of one word, or of one word and a session id. */
function nearSubcommand(
	{prompt, session}: Pick<Extract<Launch, {command: 'chat'}>, 'prompt' | 'session'>,
	names: readonly string[],
): Near | undefined {
	const {word, id} = /^(?<word>[a-z][a-z-]*)(?: (?<id>[0-9A-Za-z]{4,26}))?$/i.exec(prompt)?.groups ?? {};
	if (word === undefined || session.kind !== 'new' || (id !== undefined && !/\d/.test(id))) return undefined;
	const name = nearestName(word, [...names, ...optionWords]);
	if (name === undefined) return undefined;
	return {word, name: optionWords.includes(name) ? `--${name}` : name};
}

/** Options that other programs have as subcommands. */
const optionWords: readonly string[] = ['help', 'version'];
