export function endNotReported(reason: string): string {
	return `The model was not notified that a background command ended: ${reason}`;
}
