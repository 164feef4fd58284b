/** The texts about child sessions, for the user and for the model. */
export const childTexts = {
	missing: 'The child session is not stored, or cannot be opened.',
	unsaved: 'Its history could not be written.',
	limit: 'It reached the limit of requests.',
	paused: 'A turn is interrupted. Resume or discard it first.',
	waiting: 'The child session waits until another one has ended.',
	closing: 'The session is closing.',
	noTask: 'No task given. Type what the child session should do: /pod TASK.',
	notFound: (id: string) => `Child session ${id} is not running.`,
	nested: 'A child session cannot start children.',
	notStarted: (sentence: string) => `The child session was not started. ${sentence}`,
	noModel: (sentence: string) => `The child session was not started. ${sentence}`,
	noFolder: (path: string) => `The child session was not started: ${path} is not a folder in the working directory.`,
	noTool: (name: string, names: readonly string[]) =>
		`The child session was not started: there is no tool ${name}. The tools are ${names.join(', ')}.`,
	forkTools: 'The child session was not started: a fork has the tools and the model of this session.',
	failed: (cause: string) => `The child session failed: ${cause}`,
	stopped: 'The user stopped the child session.',
	interrupted: 'The child session was interrupted.',
	lastWords: 'Its last words so far:',
	noAnswer: 'The child session finished without an answer.',
	started: (id: string, title: string) =>
		`Child session ${id} (${title}) works in the background. You get its answer when it has ended.`,
	ended: (title: string, outcome: string) => `Child session "${title}" ${outcome}.`,
	lost: (title: string) => `Child session "${title}" was interrupted, because inkpod ended. The user can open it.`,
} as const;
