import {translated} from '../../language/index.ts';

/** Returns the text of --help in the user's language. What is typed stays as it is. */
export function translateHelp(text: string): string {
	return text
		.split('\n')
		.map(line => {
			const {typed, about} = parts(line);
			return `${typed}${translated(about)}`;
		})
		.join('\n');
}

/** Returns the texts of --help that have a translation: each is the end of a line. */
export function helpTexts(text: string): readonly string[] {
	return text
		.split('\n')
		.map(line => parts(line).about)
		.filter(about => about !== '');
}

/** A line begins with two spaces and what is typed, or is a text as a whole. */
function parts(line: string): {readonly typed: string; readonly about: string} {
	const [, typed = '', about = ''] = /^( {2}\S.*? {2,}| {3,}(?:--.*? {2,})?)(\S.*)$/.exec(line) ?? [];
	if (typed !== '' && !about.startsWith('--')) return {typed, about};
	return line.startsWith('  ') ? {typed: line, about: ''} : {typed: '', about: line};
}
