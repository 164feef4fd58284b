export const acpWarnings = {
	attached: 'This session is open in another process, so the MCP servers of the editor are not used.',
	unknown: (id: string) => `There is no session with the id ${id}.`,
};
