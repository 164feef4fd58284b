import {t} from '../../language/index.ts';

export const mcpTexts = {
	added: (name: string, file: string) => t`Added ${name} to ${file}.`,
	asksFirst: t`It is the project's: inkpod shows its whole entry and asks before it starts.`,
	removed: (name: string, file: string) => t`Removed ${name} from ${file}.`,
	none: t`No MCP servers. Add one with: inkpod mcp add NAME -- COMMAND`,
	fromProject: t`project`,
	fromUser: t`yours`,
	trustIt: t`Trust it? Type y for yes, anything else for no: `,
	broken: t`broken`,
} as const;
