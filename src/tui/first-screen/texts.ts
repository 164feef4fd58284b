/** The texts of the first screen. Where a text has several forms, the first one that fits is shown. */
export const firstTexts = {
	tagline: [
		'The transcript is the context: the model sees what you see here, and nothing else.',
		'The transcript is the context: the model sees what you see.',
		'The transcript is the context.',
	],
	labels: {model: 'Model', project: 'Project', examples: 'Try', recent: 'Recent'},
	noModel: [
		'none yet. The offline guide answers (rule-based, not an AI model)',
		'none yet. The offline guide answers (not AI)',
		'none yet: offline guide (not AI)',
		'none: offline guide (no AI)',
	],
	looking: ['Looking for a model on this machine…', 'Looking for a local model…'],
	howToConnect: [
		'To connect one: /login saves a key, /model lists models, or start Ollama or LM Studio here',
		'To connect one: /login saves a key, /model lists models',
		'To connect one: /login, or /model for a list',
		'/login or /model connects one',
	],
	/** `key` is the key that uses the model. `count`: how many models there are. */
	uses: (model: string, count: number) => {
		const others = count > 1 ? [` uses ${model}, which runs on this machine · /model lists all ${count}`] : [];
		return [...others, ` uses ${model}, which runs on this machine`, ` uses ${model} (local)`, `: ${model}`];
	},
	branch: (name: string) => ` · branch ${name}`,
	detached: (commit: string) => ` · commit ${commit}`,
	readOnly: ' · read-only',
	examples: ['what does this project do?', 'find the TODO comments and fix the easiest one', '!ls'],
	offlineExamples: ['what files are here', 'find TODO', '!ls'],
	hints: [
		'@ attaches a file · ! runs a command · /help shows keys and commands · /resume lists all sessions',
		'@ attaches a file · ! runs a command · /help shows keys and commands',
		'@ attaches a file · /help shows keys',
		'@ attaches · /help shows keys',
	],
	noPrompt: '(no prompt)',
} as const;

/** A model of this machine that was found after the first screen was gone. */
export function foundLater(model: string): string {
	return `${model} runs on this machine. To use it: /model ${model}`;
}

/** How to use a model of this machine at every start. */
export const makeDefault = 'To use it at every start: /model, then Ctrl+S.';
