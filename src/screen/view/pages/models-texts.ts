import {t} from '../../../language/index.ts';

/** The texts of the models page, and of a switch to another model. */
export const modelTexts = {
	title: t`Models`,
	looking: t`looking for servers…`,
	ownEffort: t`default`,
	local: t`on this machine`,
	keyPlaces: {keychain: t`key from keychain`, file: t`key from file`},
	hints: [t`Esc close`, t`Enter switch`, t`←→ effort`, t`Ctrl+S save as default`],
	/** The hints for a narrow screen. */
	shortHints: [t`Esc close`, t`Enter switch`, t`←→ effort`, t`Ctrl+S default`],
	/** The hints for the entry that shows the models without an API key. */
	restHints: [t`Esc close`, t`Enter show`],
	rest: (count: number) => t`${count} more, without a key`,
	effort: (level: string) => t`effort ‹ ${level} ›`,
	countOf: (count: number, total: number) => (count === total ? `${total}` : t`${count} of ${total}`),
	cacheLost: (tokens: string, cost: string | undefined) =>
		t`Prompt cache lost: ~${tokens} tokens will be re-read${cost === undefined ? '' : ` (${cost})`}`,
	saved: (model: string) => t`${model} is the default of new sessions now.`,
	levels: (levels: readonly string[]) => t` Change it with /effort ${levels.join(', /effort ')}.`,
	unknownEffort: (word: string, levels: readonly string[]) =>
		t`Unknown effort "${word}": use ${levels.slice(0, -1).join(', ')} or ${levels.at(-1)}.`,
	noLevels: (model: string) => t`${model} has no reasoning levels.`,
} as const;

/** Returns a model with its effort, such as `openai/gpt-5, effort high`. */
export function modelAndEffort(model: string, effort: string | undefined): string {
	return effort === undefined ? model : t`${model}, effort ${effort}`;
}

type Switch = {
	readonly model: string;
	readonly effort: string | undefined;
	/** The requested effort level, if the model does not have this level. */
	readonly lacks: string | undefined;
	/** Whether the switch takes effect only after the current turn. */
	readonly waits: boolean;
};

/** Describes a switch that the session has accepted. */
export function switched({model, effort, lacks, waits}: Switch): string {
	const when = waits ? t` inkpod uses it after this turn.` : '';
	const lower = lacks === undefined ? '' : t` This model does not have ${lacks}.`;
	return t`Model: ${modelAndEffort(model, effort)}.${lower}${when}`;
}
