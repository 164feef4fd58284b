import {en, t} from '../../../language/index.ts';

/** The texts about child sessions, for the user and for the model. */
export const childTexts = {
	missing: en`The child session is not stored, or cannot be opened.`,
	unsaved: en`Its history could not be written.`,
	limit: en`It reached its request limit.`,
	paused: t`A turn is interrupted. Resume or discard it first.`,
	waiting: t`The child session waits until another one has ended.`,
	closing: t`The session is closing.`,
	noTask: t`No task given. Type what the child session should do: /pod TASK.`,
	notFound: (id: string) => t`Child session ${id} is not running.`,
	nested: en`A child session cannot start children.`,
	notStarted: (sentence: string) => en`The child session was not started. ${sentence}`,
	noModel: (sentence: string) => en`The child session was not started. ${sentence}`,
	noFolder: (path: string) =>
		en`The child session was not started: ${path} is not a folder in the working directory.`,
	noTool: (name: string, names: readonly string[]) =>
		en`The child session was not started: there is no tool ${name}. The tools are ${names.join(', ')}.`,
	forkTools: en`The child session was not started: a fork has the tools and the model of this session.`,
	failed: (cause: string) => en`The child session failed: ${cause}`,
	stopped: en`The user stopped the child session.`,
	interrupted: en`The child session was interrupted.`,
	lastWords: en`Its last words so far:`,
	noAnswer: en`The child session finished without an answer.`,
	started: (id: string, title: string) =>
		en`Child session ${id} (${title}) works in the background. You get its answer when it has ended.`,
	ended: (title: string, outcome: EndedOutcome) => endings[outcome](title),
	lost: (title: string) => en`Child session "${title}" was interrupted, because inkpod ended. The user can open it.`,
} as const;

type EndedOutcome = keyof typeof endings;

const endings = {
	finished: (title: string) => en`Child session "${title}" finished.`,
	failed: (title: string) => en`Child session "${title}" failed.`,
	stopped: (title: string) => en`Child session "${title}" stopped.`,
	interrupted: (title: string) => en`Child session "${title}" interrupted.`,
} as const;
