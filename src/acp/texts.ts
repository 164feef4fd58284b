/** The texts that an editor shows, and the errors that it gets. */
export const acpTexts = {
	tooManyBlocks: (max: number) => `A prompt may have at most ${max} blocks.`,
	tooLarge: (megabytes: number) => `A prompt may have at most ${megabytes} MB in all.`,
	emptyPrompt: 'The prompt is empty.',
	unsupportedBlock: (type: string) => `inkpod does not accept blocks of the type "${type}".`,
	unsupportedBlob: 'inkpod accepts embedded texts and images, but no other binary resources.',
	relativePath: (path: string) => `"${path}" is not an absolute path.`,
	unknownSession: (id: string) => `No session with the id ${id} is open in this connection.`,
	busySession: 'This session is running. Cancel its turn first.',
	closed: 'The session was closed.',
	failedRun: (cause: string) => `The turn failed: ${cause}`,
	unknownOption: (id: string) => `There is no option "${id}" with this value.`,
	unknownMethod: (id: string) => `There is no login method "${id}".`,
	logIn: (provider: string) => `Log in to ${provider}`,
	logInHow: (provider: string) => `Stores your ${provider} key. It is asked for in a terminal.`,
	servers: (lines: readonly string[]) => `The editor provides these MCP servers:\n${lines.join('\n')}`,
} as const;

export const permissionTexts = {
	rejectAlways: 'No, and reject exactly this for the rest of the session',
	reject: 'No',
	noAnswer: 'No answer (write it as your next message)',
	ofChild: (child: string, title: string) => `${child}: ${title}`,
	secret: (path: string) => `Send ${path}? It looks like a secret.`,
	sendSecret: 'Yes, send it this once',
	dontSend: 'No, leave it out',
	writesRule: (rule: string) => `“Always” writes this rule:\n${rule}`,
} as const;

export const updateTexts = {
	compacted: (items: number | undefined) => `Compacted${items === undefined ? '' : ` · ${items} items summarised`}`,
	setup: (model: string, tools: number) => `Setup · ${model} · ${tools} tools`,
	rewound: 'Rewound to before a message. Later messages are no longer in context',
	changes: {
		drop: 'Dropped from the context',
		restore: 'Restored to the context',
		pin: 'Kept in the context',
		prune: 'Old tool outputs left out of the context',
	},
	ended: (cause: string) => `Failed: ${cause}`,
	child: (title: string) => `Child session: ${title}`,
	call: 'Tool call',
} as const;

export const optionTexts = {
	model: 'Model',
	effort: 'Reasoning effort',
	approval: 'Approval mode',
	ownEffort: 'Default of the model',
	modes: {
		ask: {name: 'Ask', description: 'Asks before changing files and running commands'},
		'accept-edits': {name: 'Accept edits', description: 'Changes files without asking, and asks before commands'},
		plan: {name: 'Plan', description: 'Only reads until you accept a plan'},
		auto: {name: 'Auto-approve', description: 'Asks about nothing'},
	},
} as const;
