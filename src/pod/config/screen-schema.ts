import {t} from '../../language/index.ts';
import {z} from 'zod';
import {nearestName} from '../ground/text/nearest-name.ts';
import {statusPartNames, themeNames, type ThemeColour} from '../protocol/screen.ts';
import {quoteUntrusted} from '../ground/text/quote-untrusted.ts';
import {screenTexts} from './texts.ts';

/** The times when the bell rings at the end of a run or at a question. */
const bells = ['unfocused', 'always', 'never'] as const;
export type Bell = (typeof bells)[number];

/** The table `screen`. Names of themes and of parts of the status line are checked after the whole file is known. */
export const screenSchema = z.strictObject({
	bell: z.enum(bells, t`must be "unfocused" or "always" or "never"`).optional(),
	title: z.boolean().optional(),
	notify: z.boolean().optional(),
	mouse: z.boolean().optional(),
	/** Read by language/choose.ts, because texts are chosen before this file is parsed. */
	language: z.enum(['en', 'ja', 'zh'], t`must be "en", "ja" or "zh"`).optional(),
	theme: z.string().min(1).max(64).optional(),
	status: z.array(z.string().max(64)).max(32).optional(),
	glyphs: z.enum(['unicode', 'ascii'], t`must be "unicode" or "ascii"`).optional(),
	links: z.boolean().optional(),
	dump: z.boolean().optional(),
	scroll_regions: z.boolean().optional(),
	reader: z.boolean().optional(),
	reduced_motion: z.boolean().optional(),
});
export type WrittenScreen = z.infer<typeof screenSchema>;

const colour = z
	.string()
	.regex(/^#[\da-f]{6}$/i, t`must be a colour of the form "#56c8d8"`)
	.optional();

const colours = {
	muted: colour,
	accent: colour,
	user: colour,
	error: colour,
	warn: colour,
	ok: colour,
	info: colour,
	path: colour,
	code: colour,
	heading: colour,
	link: colour,
	keyword: colour,
	string: colour,
	comment: colour,
	number: colour,
	title: colour,
	type: colour,
	attribute: colour,
	variable: colour,
	added: colour,
	removed: colour,
} satisfies Record<ThemeColour, typeof colour>;

const theme = z.strictObject({
	base: z.enum(themeNames, t`must be ${themeNames.map(name => `"${name}"`).join(', ')}`).optional(),
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

/** Returns sentences about unknown names of themes and of parts of the status line. */
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
