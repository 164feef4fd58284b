import {t, translated} from '../../language/index.ts';
import type {Option} from '../start/options.ts';
import type {Entry, Table} from '../start/subcommand.ts';
import {aboutForm, formsOf, notes, optionsOf, summary} from './usage.ts';

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
