import {t} from '../../../language/index.ts';

/** The texts of the first screen. If a text has several forms, the screen shows the first form that fits. */
export const firstTexts = {
	tagline: [
		t`The transcript is the context: the model sees what you see here, and nothing else.`,
		t`The transcript is the context: the model sees what you see.`,
		t`The transcript is the context.`,
	],
	labels: {model: t`Model`, project: t`Project`, approval: t`Approval`, examples: t`Try`, recent: t`Recent`},
	/** These texts say what runs without asking. The second form is for narrow screens. */
	approval: {
		ask: [t`asks before it changes anything`, t`asks before each change`],
		'accept-edits': [t`edits files without asking, asks before commands`, t`edits without asking`],
		plan: [t`plans first and changes nothing`, t`changes nothing`],
		auto: [t`edits files and runs commands without asking`, t`does not ask`],
	},
	confined: t` · commands are confined`,
	noModel: [
		t`none yet. The offline guide answers (rule-based, not an AI model)`,
		t`none yet. The offline guide answers (not AI)`,
		t`none yet: offline guide (not AI)`,
		t`none: offline guide (no AI)`,
	],
	looking: [t`Looking for a model on this machine…`, t`Looking for a local model…`],
	howToConnect: [
		t`To connect one: /login saves a key, /model lists models, or start Ollama or LM Studio here`,
		t`To connect one: /login saves a key, /model lists models`,
		t`To connect one: /login, or /model for a list`,
		t`/login or /model connects one`,
	],
	/** `count` is the number of models on this machine. The text follows the key that switches to `model`. */
	uses: (model: string, count: number) => {
		const others = count > 1 ? [t` uses ${model}, which runs on this machine · /model lists all ${count}`] : [];
		return [...others, t` uses ${model}, which runs on this machine`, t` uses ${model} (local)`, `: ${model}`];
	},
	branch: (name: string) => t` · branch ${name}`,
	detached: (commit: string) => t` · commit ${commit}`,
	readOnly: t` · read-only`,
	/** The hints if the folder contains more than one project. */
	wideProject: {
		home: [
			t`This is your whole home folder. Quit, change into a project, and start inkpod there.`,
			t`Your home folder. Start in a project instead.`,
		],
		root: [
			t`This is the whole machine. Quit, change into a project, and start inkpod there.`,
			t`The whole machine. Start in a project instead.`,
		],
	},
	examples: [
		t`what does this project do?`,
		t`find the TODO comments and fix the easiest one`,
		t`run the tests and fix what fails`,
	],
	/** These examples are not translated, because the offline guide understands only English. */
	offlineExamples: ['what files are here', 'find TODO', '!ls'],
	noPrompt: t`(no prompt)`,
} as const;

/** The text of an alert about a model on this machine that was found after the first screen had closed. */
export function foundLater(model: string): string {
	return t`${model} runs on this machine. To use it: /model ${model}`;
}

/** This text says how to make a model the default. */
export const makeDefault = t`To use it at every start: /model, then Ctrl+S.`;
