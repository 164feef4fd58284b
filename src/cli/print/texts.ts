import {endSentence, t} from '../../language/index.ts';

/** The texts that print mode writes to stderr. */
export const noPrompt = t`No prompt given. Pass one as an argument or on stdin.`;

export const noModel = t`No model is set. Use --model, set INKPOD_MODEL or [model] in config.toml, or set a
	provider’s key such as ANTHROPIC_API_KEY. --model offline answers with inkpod’s guide.`;

/** Says that the session's model cannot be used. `why` is a sentence with the reason. */
export function unusable(why: string): string {
	return t`${why} To continue with another model, use --model.`;
}

export const stdinTooLarge = t`stdin is larger than 16 MB.`;

export const stdinSilent = t`stdin is open, but sent nothing for 3 seconds. inkpod continues without it. To skip this
	wait, add: < /dev/null`;

export const stdinNotUtf8 = t`A file name on stdin is not valid UTF-8, so inkpod cannot tell which file it means.`;

export function stdinUnreadable(code: string): string {
	return t`Cannot read stdin (${code}).`;
}

export function resumeHint(session: string): string {
	return t`Resume with: inkpod -r ${session}`;
}

/** Explains why a run did not finish or why its answer is incomplete, and how to resume it. */
export function unfinished(outcome: string, cause: string | undefined, session: string): string {
	if (outcome === 'finished' && cause !== undefined) return `${endSentence(cause)} ${resumeHint(session)}`;
	const what = outcomes.get(outcome) ?? t`Ended as ${outcome}`;
	return `${endSentence(cause === undefined ? what : `${what}: ${cause}`)} ${resumeHint(session)}`;
}

const outcomes: ReadonlyMap<string, string> = new Map([
	['error', t`Failed`],
	['limit', t`Stopped at a limit`],
	['paused', t`Interrupted`],
	['cancelled', t`Cancelled`],
	['unsaved', t`Failed: the end of the run could not be saved`],
]);

/** Says that a part of the answer is not text. `type`: the provider's name for the part. */
export function notText(type: string): string {
	return t`A part of the answer is not text and is not printed: ${type}.`;
}

/** Says that a slash command works only in the chat. `name` is the command. */
export function onlyInChat(name: string): string {
	return t`/${name} works only in the chat, not in print mode.`;
}

/**
The texts that name commands and children which still run when print mode ends. They use the id that the model knows.
*/
export const stillRunning = {
	command: (id: string, command: string) =>
		t`Background command ${id} was still running, and was stopped: ${command}`,
	child: (id: string, title: string) => t`Child session ${id} was still running, and was stopped: ${title}`,
} as const;

/** Names a denied tool call. `by`: see `deniedBy`. */
export function callDenied(tool: string, by: string, subject: string | undefined): string {
	return t`${tool} denied${by}${subject === undefined ? '' : `: ${subject}`}`;
}

/** The text for a tool that itself asks the user. No rule can answer such a question. */
export const noAnswer = t`: no one to answer in print mode`;

export const deniedBy = {
	user: (reason: string | undefined) => (reason === undefined ? t` by the user` : t` by the user (${reason})`),
	rule: (reason: string | undefined) => (reason === undefined ? t` by a rule` : t` by the rule ${reason}`),
	unattended: (reason: string | undefined) =>
		reason === undefined || reason === ''
			? t`: no one to approve in print mode (use --approval or a rule)`
			: t`: commands are not confined here (allow this with --no-confine). ${reason}`,
} as const;

/** The texts about a JSON Schema for the answer. */
export const schemaTexts = {
	tooLarge: (file: string) => t`${file} is larger than 256 KB.`,
	notJson: (file: string) => t`${file} is not a JSON Schema: it must be an object, true or false.`,
	unreadable: (file: string, code: string) => t`Cannot read ${file} (${code}).`,
	invalid: (file: string, why: string) => t`${file} is not a valid JSON Schema: ${endSentence(why)}`,
	instruction: 'Answer with JSON only, without a code block, that matches this JSON Schema:',
	noJson: '- the answer is not JSON',
	repair: (problem: string) =>
		`Your answer does not match the JSON Schema:\n${problem}\nAnswer once more with JSON only, without a code
			block.`,
	failed: t`The answer does not match the JSON Schema, even after a second attempt.`,
};

export const streamTexts = {
	badLine: t`A line of the input is not a method or a question in JSON. inkpod did not read the lines after it.`,
	noPipe: t`--input-format stream-json reads methods from stdin. Pipe them into inkpod.`,
};
