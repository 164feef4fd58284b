/** A phrase that we do not write, and its replacement. */
export type BannedPhrase = {
	readonly pattern: RegExp;
	readonly instead: string;
	/** A sentence that contains the phrase, and a similar one that is fine. */
	readonly bad: string;
	readonly good: string;
};

/** Phrases that users must not read: on the screen, in the help, in errors and in the docs. */
export const bannedPhrases: readonly BannedPhrase[] = [
	{
		pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|one\b|more than\b)/i,
		instead: 'is not a …',
		bad: 'x is no folder',
		good: 'x is no longer in context, and there is no folder: no one can approve',
	},
	{
		pattern: /\bthere (?:is|are|was|were) none\b/i,
		instead: 'No … yet.',
		bad: 'There is none yet.',
		good: 'There is one yet.',
	},
	{
		pattern: /\bknows? no model\b/i,
		instead: '… not found',
		bad: 'host knows no model "x"',
		good: 'It does not know the model',
	},
	{
		pattern: /\b(?:go|goes|going|gone|went) on\b/i,
		instead: 'continue',
		bad: 'go on with the latest session',
		good: 'it goes one way, and it was good only once',
	},
	{
		pattern: /(?<!\bone )\bof yours\b/i,
		instead: 'your',
		bad: 'a message of yours',
		good: 'one of your messages, or one of yours',
	},
	{
		pattern: /\b(?:the|a|each|that) person\b/i,
		instead: 'you, the user',
		bad: "a yes of the person's",
		good: 'personal files',
	},
	{
		pattern: /\b(?:stands?|stood)\b(?! for\b| out\b|-)/i,
		instead: 'is',
		bad: 'below what stands in the terminal',
		good: 'It stands for the text; you understand outstanding stand-ins',
	},
	{
		pattern: /\bholds\b(?! for\b)/i,
		instead: 'contains',
		bad: 'what X holds',
		good: 'while you hold a key, or a threshold',
	},
	{
		pattern: /\btold of\b/i,
		instead: 'is reported',
		bad: 'The failure is told of once.',
		good: 'The model is told about it.',
	},
	{
		pattern: /\b(?:that|this|it) is said\b/i,
		instead: 'a message says so',
		bad: 'Yours counts, and that is said.',
		good: 'a sentence says so',
	},
	{
		pattern: /\bbehind\b(?! (?:a|the) (?:proxy|firewall|flag)\b)/i,
		instead: 'after',
		bad: 'what comes behind the summary',
		good: 'a server behind a proxy',
	},
	{
		pattern: /\balso not\b/i,
		instead: 'nor',
		bad: 'also not after a resume',
		good: 'nor after a resume; also, not now',
	},
	{
		pattern: /\bat most so many\b/i,
		instead: 'up to n',
		bad: 'at most so many files',
		good: 'at most 5 files per message; so many files',
	},
	{
		pattern: /\b(?:a|your|the|every|no) yes\b|\b(?:says?|said) yes\b/i,
		instead: 'approval, approve',
		bad: 'Nothing says yes without a yes.',
		good: '1. Yes, once',
	},
	{
		pattern: /\b(?:sits?|sat|sitting) down\b/i,
		instead: 'attach',
		bad: 'sit down at a session',
		good: 'sit-downs; shut down',
	},
	{
		pattern: /\bg(?:ive|ives|ave|iven) (?:it |the turn |a question |this )?up\b/i,
		instead: 'abandon, cancel',
		bad: 'Ctrl+C gives the turn up',
		good: 'give an update',
	},
	{
		pattern: /\bcut short\b/i,
		instead: 'interrupted',
		bad: 'The answer was cut short.',
		good: 'cut; short answers',
	},
	{
		pattern: /\bunder way\b/i,
		instead: 'in progress, running',
		bad: 'A run is under way.',
		good: 'It is underlined way too often.',
	},
	{pattern: /\banew\b/i, instead: 'again', bad: 'It is read anew.', good: 'a new file'},
	{
		pattern: /\bnobody (?:can|could|was|is|will) (?:be )?asked\b|\bnobody can be asked\b/i,
		instead: 'no one can approve',
		bad: 'Nobody can be asked here.',
		good: 'nobody else can get there',
	},
	{
		pattern: /\bwhere nothing is said\b|\bThere is nothing to (?:send|summarise)\b/,
		instead: 'default; nothing to …',
		bad: 'There is nothing to send.',
		good: 'inkpod says that there is nothing to compact yet',
	},
	{
		pattern: /\blong ago\b/i,
		instead: 'older',
		bad: 'Have what is long ago summarised',
		good: 'Summarise older messages',
	},
	{
		pattern: /\ball the same\?/i,
		instead: 'anyway?',
		bad: 'Put these back all the same?',
		good: 'Restore anyway?',
	},
];

/** Words that belong only in the source code. For example, on the screen a draft is a message. */
export const bannedOnScreen: readonly BannedPhrase[] = [
	{
		pattern: /\bdrafts?\b/i,
		instead: 'message, prompt',
		bad: 'The draft is empty.',
		good: 'The message is empty.',
	},
];

/** Finds banned phrases in a text. Each result quotes the words around the phrase and names the replacement. */
export function findBanned(text: string, phrases: readonly BannedPhrase[] = bannedPhrases): readonly string[] {
	const flat = text.replaceAll(/\s+/g, ' ');
	return phrases.flatMap(({pattern, instead}) =>
		[...flat.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(({index, 0: found}) => {
			const around = flat.slice(Math.max(0, index - 30), index + found.length + 30);
			return `“${around}”: write “${instead}”`;
		}),
	);
}
