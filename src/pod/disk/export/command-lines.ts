import {replacedIn, type View} from './parts.ts';
import {lineStart} from './place.ts';

/**
Returns a view in which each command is on one line. It joins continued lines of a shell, of PowerShell and of cmd. It
also joins the arguments of a list: `["mysql", "-px"]` becomes `["mysql" "-px"]`.
*/
export function commandLines(view: View): View {
	return replacedIn(view, gaps, gap => (gap.startsWith('|') ? '|' : ' ')) ?? view;
}

const quote = String.raw`\\{0,8}["'\`]`;

/**
A line break, and the characters before the text of the next line. A dash before this text is not included, because it
may begin an option.
*/
const lineBreak = `\\r?\\n${lineStart}(?<!-)`;

const blanks = `[ \\t]{0,40}(?:${lineBreak})?`;

/** The start of the next item of a YAML list, if the item before it is one word. */
const yamlItem = `(?<=-[ \\t]{1,4}\\S{1,200}\\r?\\n)${lineStart}-[ \\t]{1,4}`;

const gaps = new RegExp(
	[
		`(?:[\\\\^]|(?<=[ \\t])\`)[ \\t]{0,4}${lineBreak}`,
		`\\|[ \\t]{0,4}${lineBreak}`,
		// `command: ["mysql"]`, and on the next line `args: ["-px"]`; `"command": "mysql", "args": ["-px"]`
		`(?<=["'\`])(?:\\],?|,)${blanks}(?:${quote})?args(?:${quote})?:[ \\t]{0,8}\\[${blanks}`,
		// The arguments of a call may be in a separate list.
		`(?<=["'\`])[ \\t]{0,40},${blanks}(?:\\[${blanks})?`,
		`,${blanks}(?=${quote})`,
		// `Command::new("mysql").arg("-px")`
		`(?<=["'\`])\\)${blanks}\\.args?\\(&?(?:\\[${blanks})?`,
		`\\r?\\n${yamlItem}`,
		`\\]?\\r?\\n${lineStart}args:[ \\t]{0,8}\\r?\\n${lineStart}-[ \\t]{1,4}`,
	].join('|'),
	'g',
);
