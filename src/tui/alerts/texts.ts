export function moreAlerts(count: number): string {
	return `… ${count} more`;
}

export function repeated(text: string, count: number): string {
	return count > 1 ? `${text} (${count} times)` : text;
}
