import type {Option, Usage} from './usage.ts';

/** Returns the manual page of inkpod in the format of man(7). `version` is that of the package. */
export function manual(version: string, {summary, forms, options, notes}: Usage): string {
	const about = summary.replace(/^inkpod: /, '');
	return `${[
		`.TH INKPOD 1 "" "inkpod ${inert(version)}"`,
		'.SH NAME',
		`inkpod \\- ${inert(about.replace(/\..*$/, ''))}`,
		'.SH SYNOPSIS',
		...forms.flatMap(({line}) => [`.B ${inert(line)}`, '.br']),
		'.SH DESCRIPTION',
		inert(about),
		'.SH COMMANDS',
		...forms.flatMap(({line, about: words}) => ['.TP', `.B ${inert(line)}`, inert(words)]),
		'.SH OPTIONS',
		...options.flatMap(option => ['.TP', `.B ${inert(lineOf(option))}`, inert(option.about)]),
		'.SH NOTES',
		...notes.map(inert),
	].join('\n')}\n`;
}

function lineOf({long, short, value}: Option): string {
	return [...(short === undefined ? [] : [`${short},`]), `--${long}`, ...(value === undefined ? [] : [value])].join(
		' ',
	);
}

/** A dot or an apostrophe at the start of a line, and every backslash, would be a request. */
function inert(text: string): string {
	return text
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replace(/^(?=[.'])/, '\\&');
}
