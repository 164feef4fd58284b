import {code} from './markdown.ts';

/** The guide's sentences about itself and its work. The guide's reports are in report.ts. */

/** The text that follows the guide's first answer. */
export const guideNote =
	"*I'm the offline guide: rules, not an AI model. `/login` or `/model` in the chat connects a real one.*";

export const greeting = "Hello! I'm the offline guide.";
export const introduction = "I'm the offline guide.";

export const notUnderstood = [
	"I'm a rule-based guide, not an AI model, and I didn't understand that.",
	'I need no key and no network, and I only report what is in this conversation. What I can do:',
].join(' ');

export const howToConnect = [
	'To connect a real model, type `/login` to save a key, or `/model` to choose one: the list includes the models of',
	'Ollama and LM Studio on this machine. Or set `ANTHROPIC_API_KEY`, `OPENAI_API_KEY`, `GEMINI_API_KEY` or',
	'`OPENROUTER_API_KEY` and start inkpod again, or name a model with `inkpod --model provider/name`.',
].join(' ');

/** The features of the guide that need no tool. */
export const attachExample = 'outline what you attach: type `@` and pick a file, or `/` and pick a workflow';

export function notAttached(path: string): string {
	return `I could not see ${code(path)}, because it could not be attached.`;
}

export function toolMissing(name: string): string {
	return `That needs the tool ${code(name)}, which this session does not offer. Nothing was done.`;
}

export function nothingToReplace(text: string, path: string): string {
	return `${code(text)} does not occur in ${code(path)}: nothing was changed.`;
}

export const needsJudgement =
	'That requires judgement, which rules do not have. A connected model would do it with exactly this context.';

export const nothingToAdd = 'I have nothing to add to this summary.';
export const summaryNote = '*By the offline guide, which is not an AI model: your messages, shortened.*';
export const noMessages = '(There are no messages.)';

export function pointsLeftOut(count: number): string {
	return `(${count} earlier points are left out)`;
}

export function lastAnswer(count: number, beginning: string): string {
	return `${count === 1 ? 'The only answer' : `The last of ${count} answers`} began: ${beginning}`;
}
