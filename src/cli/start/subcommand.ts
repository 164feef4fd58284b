import {
	areValuesOf,
	chatOptions,
	type ChatValues,
	type Completes,
	type Options,
	type Values,
	type ValuesOf,
} from './options.ts';

/** The description of a subcommand for the help, the completions and the manual. The chat itself has no name. */
export type Entry = {
	readonly name: string;
	readonly forms: readonly Form[];
	readonly options: Options;
	/** The completions that a shell offers after the name. */
	readonly completes?: Completes;
};

/** A way to start a subcommand. */
type Form<Name = string> = {
	/** The words after the subcommand's name. */
	readonly words?: string;
	/** The description, in English. */
	readonly about: string;
	/** The names of the options that belong to this form. Absent if all options do. */
	readonly options?: readonly Name[];
};

/** All entries, in the order of the help. */
export type Table = readonly Entry[];

/** The input and output of a command. */
export type Io = {
	readonly version: string;
	readonly env: NodeJS.ProcessEnv;
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	readonly stderr: NodeJS.WriteStream;
	/** Writes a sentence to stderr, in the user's language. */
	readonly say: (sentence: string) => Promise<void>;
	/** Aborts with an `ExitReason` (output/signals.ts). */
	readonly exit: AbortController;
	readonly table: Table;
};

type Named = {readonly command: string};

/** The parsed arguments, or a sentence about a mistake in them. `run` resolves with the exit code. */
export type Parsed<L extends Named> =
	| {readonly ok: true; readonly launch: L; readonly run: (io: Io) => Promise<number>}
	| {readonly ok: false; readonly sentence: string};

type Subcommand<L extends Named> = Entry & {
	/** Whether the subcommand accepts the options of a chat. Then it does not accept options of other subcommands. */
	readonly isChat: boolean;
	readonly parse: (words: readonly string[], values: Values) => Parsed<L>;
};

type Facts<O extends Options, L extends Named> = Partial<Omit<Form, 'options'>> &
	Pick<Entry, 'name' | 'completes'> & {
		/** The ways to start the subcommand, if there are more than the one of `words` and `about`. */
		readonly forms?: ReadonlyArray<Form<NoInfer<keyof O & string>>>;
		readonly options?: O;
		readonly isChat?: true;
		/** Reads the words after the name, and the options. Returns a sentence about a mistake. */
		readonly read: (words: readonly string[], values: ValuesOf<O> & ChatValues) => L | string;
		/** Loads the code of the command, and runs it. inkpod does not load this code earlier. */
		readonly run: (launch: NoInfer<L>, io: Io) => Promise<number>;
	};

/** Defines a subcommand. The parser, the help, the completions and the manual are made from this definition. */
export function subcommand<const O extends Options, const L extends Named>(facts: Facts<O, L>): Subcommand<L> {
	const {name, words, about = '', completes, options = {}, isChat = false, read, run} = facts;
	return {
		name,
		forms: facts.forms ?? [{words, about}],
		options,
		completes,
		isChat,
		parse(given, values) {
			if (!areValuesOf<O>(options, values) || !areValuesOf<typeof chatOptions>(chatOptions, values))
				throw new Error(`the values of inkpod ${name} are read by another table`);
			const launch = read(given, values);
			if (typeof launch === 'string') return {ok: false, sentence: launch};
			return {ok: true, launch, run: async io => run(launch, io)};
		},
	};
}

/** Returns the only word. An empty word does not count, because an empty id would be a prefix of every id. */
export function onlyWord([word, ...rest]: readonly string[]): string | undefined {
	return word === undefined || word.trim() === '' || rest.length > 0 ? undefined : word;
}

/** Reads a number that has the given form. */
export function numberIn(text: string | undefined, form: RegExp): number | 'wrong' | undefined {
	if (text === undefined) return undefined;
	return form.test(text) ? Number(text) : 'wrong';
}
