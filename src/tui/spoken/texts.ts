export const messageLabel = 'Message: ';
export const levelNames = {info: 'Note', warn: 'Warning', error: 'Error'} as const;

export function earlierBlocks(count: number): string {
	return `${count} earlier blocks are not read out.`;
}
