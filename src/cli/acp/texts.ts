import {t} from '../../language/index.ts';

export const acpWarnings = {
	attached: t`This session is open in another process, so the MCP servers of the editor are not used.`,
	unknown: (id: string) => t`There is no session with the id ${id}.`,
};
