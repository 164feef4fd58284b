/** The texts of the page with the models, and of a switch to another model. */
export const modelTexts = {
	title: 'Models',
	search: 'type to search',
	looking: 'looking for local servers…',
	noMatch: 'No model matches.',
	ownEffort: 'default',
	local: 'on this machine',
	keyPlaces: {keychain: 'key from keychain', file: 'key from file'},
	hints: ['Esc close', 'Enter switch', '←→ effort', 'Ctrl+S save as default'],
	/** The hints for a narrow screen. */
	shortHints: ['Esc close', 'Enter switch', '←→ effort', 'Ctrl+S default'],
	effort: (level: string) => `effort ‹ ${level} ›`,
	countOf: (count: number, total: number) => (count === total ? `${total}` : `${count} of ${total}`),
	cacheLost: (tokens: string, cost: string | undefined) =>
		`Prompt cache lost: ~${tokens} tokens will be re-read${cost === undefined ? '' : ` (${cost})`}`,
	saved: (model: string) => `${model} is the default of new sessions now.`,
	levels: (levels: readonly string[]) => ` Change it with /effort ${levels.join(', /effort ')}.`,
	unknownEffort: (word: string, levels: readonly string[]) =>
		`Unknown effort "${word}": use ${levels.slice(0, -1).join(', ')} or ${levels.at(-1)}.`,
	noLevels: (model: string) => `${model} has no reasoning levels.`,
} as const;

/** A model with its effort: `openai/gpt-5, effort high`. */
export function modelAndEffort(model: string, effort: string | undefined): string {
	return effort === undefined ? model : `${model}, effort ${effort}`;
}

export type Switch = {
	readonly model: string;
	readonly effort: string | undefined;
	/** The level that the model lacks. */
	readonly lacks: string | undefined;
	/** Whether the switch waits for the end of the turn. */
	readonly waits: boolean;
};

/** Describes a switch that the session has accepted. */
export function switched({model, effort, lacks, waits}: Switch): string {
	const when = waits ? ' It is used from the end of this turn on.' : '';
	const lower = lacks === undefined ? '' : ` This model does not have ${lacks}.`;
	return `Model: ${modelAndEffort(model, effort)}.${lower}${when}`;
}
