import type {Completes, Option} from '../start/options.ts';
import type {Entry, Table} from '../start/subcommand.ts';
import {t, translated} from '../../language/index.ts';

/** The first line of the help, which says what inkpod is. */
export const summary = 'inkpod: chat with a model about the project in this directory. The transcript is the context.';

/** The lines at the end of the help. */
export const notes: readonly string[] = [
	'In the prompt, @path attaches a file, @path:10-20 some of its lines, @dir/ a directory, /name invokes a workflow.',
];

/** A way to start inkpod: the words to type, the description, and the options that only this form shows. */
type Form = {
	readonly line: string;
	readonly about: string;
	readonly options: readonly NamedOption[];
};

type NamedOption = readonly [name: string, option: Option];

/** Returns the options that a user may give. */
function optionsOf({options}: Entry): readonly NamedOption[] {
	return Object.entries(options).filter(([, {shown}]) => shown !== 'hidden');
}

/** Returns the forms of an entry. Some options of the chat are separate forms. */
export function formsOf(entry: Entry): readonly Form[] {
	const options = optionsOf(entry);
	const own = options.filter(([, {shown}]) => shown === undefined);
	return [
		...entry.forms.map(({words, about, options: names}) => ({
			line: lineOf(entry.name, words),
			about,
			options: own.filter(([name]) => names?.includes(name) ?? true),
		})),
		...options
			.filter(([, {shown}]) => shown === 'form')
			.map(([name, {short, words, about = ''}]) => ({
				line: lineOf(short === undefined ? '' : `-${short},`, `--${name}`, words),
				about,
				options: [],
			})),
	];
}

/**
Returns the description of a form, with the options that only this form shows:
`list the trash (--restore ID: …; --json)`.
*/
export function aboutForm({about, options}: Form, translate = (text: string) => text): string {
	if (options.length === 0) return translate(about);
	const named = options.map(([name, option]) => {
		const typed = [`--${name}`, option.value ?? []].flat().join(' ');
		return option.about === undefined ? typed : `${typed}: ${translate(option.about)}`;
	});
	const separator = options.some(([, option]) => option.about !== undefined) ? '; ' : ', ';
	return `${translate(about)} (${named.join(separator)})`;
}

/** An option, as completions and the manual describe it. */
export type UsedOption = {
	readonly name: string;
	readonly short?: string;
	readonly value?: string;
	readonly completes?: Completes;
	readonly about: string;
};

/**
Returns each option once. If an option does not belong to the chat, its description names the subcommands that have it.
*/
export function usedOptions(table: Table): readonly UsedOption[] {
	const names = [...new Set(table.flatMap(entry => optionsOf(entry).map(([name]) => name)))];
	return names.map(name => {
		const owners = table.filter(({options}) => name in options);
		const [option] = owners.flatMap(({options}) => options[name] ?? []);
		return {...option, name, about: aboutOf(owners, option?.about?.replaceAll('\n', ' '))};
	});
}

/** Returns the text of `inkpod --help` in the user's language. Names and options are not translated. */
export function helpText(table: Table): string {
	const forms = table.flatMap(formsOf);
	const options = table.flatMap(listed);
	const widest = (texts: readonly string[]) => Math.max(...texts.map(text => text.length));
	const formWidth = widest(forms.map(({line}) => line)) + 3;
	const optionWidth = widest(options.map(({typed}) => typed)) + 2;
	return [
		translated(summary),
		'',
		...forms.map(form => `  ${form.line.padEnd(formWidth)}${aboutForm(form, translated)}`),
		'',
		...options.flatMap(({typed, about}) =>
			about.map((line, at) => `  ${(at === 0 ? typed : '').padEnd(optionWidth)}${line}`),
		),
		'',
		...notes.map(translated),
		'',
	].join('\n');
}

/** Returns the English texts of the help. Each of them is a key of the translations. */
export function helpKeys(table: Table): readonly string[] {
	const ofOptions = table.flatMap(({options}) => Object.values(options)).flatMap(({about = ''}) => about.split('\n'));
	const all = [summary, ...table.flatMap(({forms}) => forms.map(({about}) => about)), ...ofOptions, ...notes];
	return all.filter(text => text !== '');
}

function aboutOf(owners: readonly Entry[], about: string | undefined): string {
	const names = owners.map(({name}) => name);
	if (names.includes('')) return about ?? '';
	return [`with ${names.join(', ')}`, about ?? []].flat().join(': ');
}

function lineOf(...parts: ReadonlyArray<string | undefined>): string {
	return ['inkpod', ...parts.filter(part => part !== undefined && part !== '')].join(' ');
}

type Listed = {readonly typed: string; readonly about: readonly string[]};

function listed(entry: Entry): readonly Listed[] {
	return optionsOf(entry)
		.filter(([, {shown}]) => shown === 'list')
		.map(([name, option]) => ({typed: typedOf(name, option), about: aboutOption(entry, option)}));
}

function typedOf(name: string, {short, value}: Option): string {
	return [short === undefined ? '   ' : `-${short},`, `--${name}`, value ?? []].flat().join(' ');
}

function aboutOption({name}: Entry, {about = ''}: Option): readonly string[] {
	const lines = about.split('\n').map(translated);
	return name === '' ? lines : lines.map((line, at) => (at === 0 ? t`with ${name}: ${line}` : line));
}
