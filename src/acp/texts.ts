import {en, t} from '../language/index.ts';

/** The texts that an editor shows, and the errors that it gets. */
export const acpTexts = {
	tooManyBlocks: (max: number) => t`A prompt may have at most ${max} blocks.`,
	tooLarge: (megabytes: number) => t`A prompt may have at most ${megabytes} MB in all.`,
	emptyPrompt: t`The prompt is empty.`,
	unsupportedBlock: (type: string) => t`inkpod does not accept blocks of the type "${type}".`,
	unsupportedBlob: t`inkpod accepts embedded text and images, but no other binary resources.`,
	relativePath: (path: string) => t`"${path}" is not an absolute path.`,
	unknownSession: (id: string) => t`No session with the id ${id} is open on this connection.`,
	busySession: t`This session is running. Cancel its turn first.`,
	closed: t`The session was closed.`,
	failedRun: (cause: string) => t`The turn failed: ${cause}`,
	unknownOption: (id: string) => t`There is no option "${id}" with this value.`,
	unknownMethod: (id: string) => t`There is no login method "${id}".`,
	logIn: (provider: string) => t`Log in to ${provider}`,
	logInHow: (provider: string) => t`Stores your ${provider} key. inkpod asks for the key in a terminal.`,
	servers: (lines: readonly string[]) => en`The editor provides these MCP servers:\n${lines.join('\n')}`,
} as const;

export const permissionTexts = {
	rejectAlways: t`No, and reject this exact call for the rest of the session`,
	reject: t`No`,
	noAnswer: t`No answer (write it as your next message)`,
	ofChild: (child: string, title: string) => `${child}: ${title}`,
	secret: (path: string) => t`Send ${path}? It looks like a secret.`,
	sendSecret: t`Yes, send it this once`,
	dontSend: t`No, leave it out`,
	writesRule: (rule: string) => t`“Always” writes this rule:\n${rule}`,
} as const;

export const updateTexts = {
	compacted: (items: number | undefined) => t`Compacted${items === undefined ? '' : t` · ${items} items summarised`}`,
	setup: (model: string, tools: string) => t`Setup · ${model} · ${tools}`,
	mode: (approval: string, isReadOnly: boolean) =>
		isReadOnly ? t`Approval: ${approval} · read-only` : t`Approval: ${approval}`,
	renamed: (title: string) => t`Renamed to “${title}”`,
	rewound: t`Rewound to an earlier point. The messages after it are no longer in context`,
	changes: {
		drop: t`Dropped from the context`,
		restore: t`Restored to the context`,
		pin: t`Pinned in the context`,
		prune: t`Old tool outputs left out of the context`,
	},
	ended: (cause: string) => t`Failed: ${cause}`,
	child: (title: string) => t`Child session: ${title}`,
	call: t`Tool call`,
} as const;

export const optionTexts = {
	model: t`Model`,
	effort: t`Reasoning effort`,
	approval: t`Approval mode`,
	ownEffort: t`The model’s default`,
	modes: {
		ask: {name: t`Ask`, description: t`Asks before changing files and running commands`},
		'accept-edits': {name: t`Accept edits`, description: t`Changes files without asking, and asks before commands`},
		plan: {name: t`Plan`, description: t`Only reads until you accept a plan`},
		auto: {name: t`Auto-approve`, description: t`Changes files and runs commands without asking`},
	},
} as const;
