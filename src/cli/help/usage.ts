/** What `inkpod --help` says, as data. */
export type Usage = {
	readonly summary: string;
	readonly forms: readonly Form[];
	readonly options: readonly Option[];
	/** The lines after the options. */
	readonly notes: readonly string[];
};

/** A way to start inkpod. `name` is the subcommand, if it is one. */
type Form = {readonly name?: string; readonly line: string; readonly about: string};

/** An option. `value` is the name of its value, if it has one. */
export type Option = {
	readonly long: string;
	readonly short?: string;
	readonly value?: string;
	readonly about: string;
};

/** Reads the text of --help, so that completions and the manual page never differ from it. */
export function readUsage(text: string): Usage {
	const [summary = '', , ...lines] = text.split('\n');
	const forms: Form[] = [];
	const options: Option[] = [];
	const notes: string[] = [];
	for (const line of lines) {
		const form = /^ {2}(inkpod .*?) {2,}(\S.*)$/.exec(line);
		const option =
			/^ {2}(?:(-\w), | {4})--([\w-]+)(?:, --[\w-]+)?(?:, (-\w))?(?: ([A-Z=/]+))?(?: {2,}(\S.*))?$/.exec(line);
		const more = /^ {20,}(\S.*)$/.exec(line);
		if (form !== null) forms.push(formOf(form[1] ?? '', form[2] ?? ''));
		else if (option !== null) options.push(...optionsOf(line, option));
		else if (more !== null) extend(options, more[1] ?? '');
		else if (line.trim() !== '') notes.push(line);
	}
	return {summary, forms, options: withoutRepeats([...options, ...forms.flatMap(optionsIn)]), notes};
}

/** Returns the options that only a form names: `inkpod trash  … (--restore ID: …; --json)`. */
function optionsIn({name, line, about}: Form): readonly Option[] {
	const own = [...line.matchAll(/(?:(-\w), )?--([a-z-]+)/g)].map(([, short, long = '']) => ({
		long,
		about,
		short,
	}));
	const named = [...about.matchAll(/--([a-z-]+)(?: ('[^']+'|[A-Z]+(?:=[A-Z]+)?))?/g)];
	return [
		...own,
		...named.map(([, long = '', value]) => ({
			long,
			about: `${withCommand}${name ?? ''}`,
			value,
		})),
	];
}

/** Several subcommands may have the same option. It has one line, which names them all. */
function withoutRepeats(options: readonly Option[]): readonly Option[] {
	const known = new Map<string, Option>();
	for (const option of options) {
		const before = known.get(option.long);
		const isShared = before?.about.startsWith(withCommand) === true && option.about.startsWith(withCommand);
		const other = option.about.slice(withCommand.length);
		if (before === undefined) known.set(option.long, option);
		else if (isShared && !before.about.slice(withCommand.length).split(', ').includes(other))
			known.set(option.long, {...before, about: `${before.about}, ${other}`});
	}
	return [...known.values()];
}

function formOf(line: string, about: string): Form {
	const [, name] = /^inkpod ([a-z]+)\b/.exec(line) ?? [];
	return {line, about, name};
}

/** A line may name two options: `--version, --help`. */
function optionsOf(line: string, [, short, long = '', , value, about = '']: RegExpExecArray): readonly Option[] {
	const names = [...line.matchAll(/--([\w-]+)/g)].map(([, name = '']) => name);
	const own = {short, value, about};
	return about === '' ? names.map(name => ({long: name, about: ''})) : [{long, ...own}];
}

function extend(options: Option[], more: string): void {
	const last = options.pop();
	if (last !== undefined) options.push({...last, about: `${last.about} ${more}`});
}

const withCommand = 'with inkpod ';
