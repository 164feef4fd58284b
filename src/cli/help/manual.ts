import type {Table} from '../start/subcommand.ts';
import {aboutForm, formsOf, notes, summary, usedOptions, type UsedOption} from './usage.ts';

/** Returns the manual page of inkpod in the format of man(7). `version` is the version of the package. */
export function manual(version: string, table: Table): string {
	const about = summary.replace(/^inkpod: /, '');
	const forms = table.flatMap(formsOf);
	return `${[
		`.TH INKPOD 1 "" "inkpod ${inert(version)}"`,
		'.SH NAME',
		`inkpod \\- ${inert(about.replace(/\..*$/, ''))}`,
		'.SH SYNOPSIS',
		...forms.flatMap(({line}) => [`.B ${inert(line)}`, '.br']),
		'.SH DESCRIPTION',
		inert(about),
		'.SH COMMANDS',
		...forms.flatMap(form => ['.TP', `.B ${inert(form.line)}`, inert(aboutForm(form))]),
		'.SH OPTIONS',
		...usedOptions(table).flatMap(option => ['.TP', `.B ${inert(lineOf(option))}`, inert(option.about)]),
		'.SH NOTES',
		...notes.map(inert),
	].join('\n')}\n`;
}

function lineOf({name, short, value}: UsedOption): string {
	return [short === undefined ? [] : `-${short},`, `--${name}`, value ?? []].flat().join(' ');
}

/**
Escapes characters that man(7) would interpret: a dot or an apostrophe at the start of a line, and every backslash.
*/
function inert(text: string): string {
	return text
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replace(/^(?=[.'])/, '\\&');
}
