/** The lists of a server that may change while it runs. */
const listNames = ['tools', 'resources', 'prompts'] as const;
export type ListName = (typeof listNames)[number];

/** Returns the list that a notification announces to have changed. */
export function changedList(method: unknown): ListName | undefined {
	return listNames.find(name => method === `notifications/${name}/list_changed`);
}

/** Finds the announcements in the pieces of a stream of events, also if a piece ends inside of one. */
export function createChangeFinder(onChange: (list: ListName) => void): (piece: Uint8Array) => void {
	let rest = '';
	return piece => {
		const text = rest + Buffer.from(piece).toString('latin1');
		for (const list of listNames) if (text.includes(`notifications/${list}/list_changed`)) onChange(list);
		rest = text.slice(-longest);
	};
}

/** One character less than the longest announcement. */
const longest = 'notifications/resources/list_changed'.length - 1;
