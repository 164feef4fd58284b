import {t} from '../../language/index.ts';
import {z} from 'zod';
import {nearestName} from '../ground/text/nearest-name.ts';
import {statusPartNames, themeNames, type ThemeColour} from '../protocol/settings.ts';
import {quoteUntrusted} from '../ground/text/one-line.ts';
import {screenTexts} from './texts.ts';

/** When the bell rings at the end of a run or at a question. */
const bells = ['unfocused', 'always', 'never'] as const;
export type Bell = (typeof bells)[number];

/**
The table `screen`. `screenWarnings` checks the names of themes and of parts of the status line, after the whole file
was parsed. language/choose.ts reads `language`, because inkpod chooses its language before it parses this file.
*/
export const screenSchema = z.strictObject({
	bell: z
		.enum(bells, t`must be "unfocused" or "always" or "never"`)
		.optional()
		.meta({
			about: 'when the bell rings at the end of a turn, or when approval is needed',
			fallback: '"unfocused"',
		}),
	title: z.boolean().optional().meta({
		about: "shows in the window's title what happens, and reports it to terminals that show the state of programs",
		fallback: 'true',
	}),
	mouse: z.boolean().optional().meta({about: 'uses the mouse; also `--no-mouse`', fallback: 'true'}),
	dump: z.boolean().optional().meta({
		about: 'prints the transcript to the scrollback when the chat ends; also `--dump`',
		fallback: 'false',
	}),
	reader: z.boolean().optional().meta({
		about: 'prints plain lines for a screen reader; also `--screen-reader`',
		fallback: 'false',
	}),
	notify: z.boolean().optional().meta({
		about: 'sends desktop notifications while the terminal is not focused, if the terminal can',
		fallback: 'true',
	}),
	reduced_motion: z.boolean().optional().meta({
		about: 'does not animate the sign of a running turn, but counts its seconds; also `INKPOD_REDUCED_MOTION`',
		fallback: 'false',
		variable: 'INKPOD_REDUCED_MOTION',
	}),
	glyphs: z
		.enum(['unicode', 'ascii'], t`must be "unicode" or "ascii"`)
		.optional()
		.meta({
			about: 'the signs on the screen; also `INKPOD_GLYPHS`',
			fallback: '"unicode"',
			variable: 'INKPOD_GLYPHS',
		}),
	links: z.boolean().optional().meta({
		about: 'turns web addresses in answers into terminal links (OSC 8); also `INKPOD_LINKS`',
		fallback: 'if the terminal supports them',
		variable: 'INKPOD_LINKS',
	}),
	scroll_regions: z.boolean().optional().meta({
		about: 'lets the terminal move rows when the screen scrolls',
		fallback: 'if the terminal supports it',
		variable: 'INKPOD_SCROLL_REGIONS',
	}),
	language: z
		.enum(['en', 'ja', 'zh'], t`must be "en", "ja" or "zh"`)
		.optional()
		.meta({
			about: 'the language of the screen; also `INKPOD_LANGUAGE`',
			fallback: 'from `LANG`',
			variable: 'INKPOD_LANGUAGE',
			when: 'start',
		}),
	theme: z.string().min(1).max(64).optional().meta({
		about: 'the colours; `/theme` shows them',
		type: 'name of a theme',
		fallback: '"auto"',
		more: 'configure.md#themes',
		when: 'now',
	}),
	status: z.array(z.string().max(64)).max(32).optional().meta({
		about: 'the parts of the status line, in this order',
		type: 'list of parts',
		fallback: 'all parts',
		more: 'configure.md#the-status-line',
	}),
});
export type WrittenScreen = z.infer<typeof screenSchema>;

const hex = z
	.string()
	.regex(/^#[\da-f]{6}$/i, t`must be a colour of the form "#56c8d8"`)
	.optional();
const colour = (about: string) => hex.meta({about, type: 'colour', fallback: 'from the base theme'});

const colours = {
	muted: colour('the colour of quiet text, which auto dims'),
	accent: colour('the colour of marks, counts and attached files'),
	user: colour('the colour of the sign before your messages'),
	error: colour('the colour of failures'),
	warn: colour('the colour of what needs your attention'),
	ok: colour('the colour of what is running or has passed'),
	info: colour('the colour of notices'),
	path: colour('the colour of paths'),
	code: colour('the colour of code in a sentence'),
	heading: colour('the colour of headings'),
	link: colour('the colour of links'),
	keyword: colour('the colour of keywords in code'),
	string: colour('the colour of strings in code'),
	comment: colour('the colour of comments in code'),
	number: colour('the colour of numbers in code'),
	title: colour('the colour of function names in code'),
	type: colour('the colour of types in code'),
	attribute: colour('the colour of attributes in code'),
	variable: colour('the colour of variables in code'),
	added: colour('the tint of added lines'),
	removed: colour('the tint of removed lines'),
} satisfies Record<ThemeColour, typeof hex>;

const theme = z.strictObject({
	base: z
		.enum(themeNames, t`must be ${themeNames.map(name => `"${name}"`).join(', ')}`)
		.optional()
		.meta({
			about: 'the theme that yours is based on',
			type: 'name of a built-in theme',
			fallback: '"auto"',
			more: 'configure.md#themes',
		}),
	...colours,
});

/** The user's own themes by name. */
export const themesSchema = z.record(z.string(), theme).superRefine((themes, context) => {
	for (const name of Object.keys(themes)) {
		const issue = (message: string) => context.addIssue({code: 'custom', path: [name], message});
		if (themeNames.some(builtIn => builtIn === name))
			issue(t`is the name of a built-in theme: choose another name`);
		else if (!/^[a-z][a-z\d_-]{0,39}$/.test(name))
			issue(t`is not a name for a theme: use small letters, digits, "-" and "_"`);
	}
});
export type WrittenThemes = z.infer<typeof themesSchema>;

/** Returns warnings about unknown names of themes and of parts of the status line. */
export function screenWarnings(screen: WrittenScreen = {}, themes: WrittenThemes = {}): readonly string[] {
	const known = [...themeNames, ...Object.keys(themes)];
	const {theme: wanted, status = []} = screen;
	const isKnown = wanted === undefined || known.includes(wanted);
	const unknown = status.filter(name => !statusPartNames.some(part => part === name));
	return [
		...(isKnown ? [] : [screenTexts.theme(quoteUntrusted(wanted), nearestName(wanted, known), known)]),
		...unknown.map(name =>
			screenTexts.status(quoteUntrusted(name), nearestName(name, statusPartNames), statusPartNames),
		),
	];
}
