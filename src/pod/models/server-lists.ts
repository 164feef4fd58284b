/** A model that a server has listed. */
export type ListedModel = {
	readonly name: string;
	readonly window?: number | undefined;
	/** The prices in USD per million tokens. */
	readonly price?: {readonly input: number; readonly output: number} | undefined;
	readonly readsImages?: boolean;
	/** Whether the server passes the messages on to another machine. */
	readonly isRemote?: true;
};

/** The models that servers have listed. `isComplete`: each server has answered or timed out. */
export type ServerLists = {readonly models: readonly ListedModel[]; readonly isComplete: boolean};

/** Returns the models that arrived within the time limit, in the order of the servers. The promises must not reject. */
export async function listsWithin(
	asks: ReadonlyArray<Promise<readonly ListedModel[]>>,
	timeoutMs: number,
): Promise<ServerLists> {
	const time = Promise.withResolvers<undefined>();
	const timer = setTimeout(time.resolve, timeoutMs, undefined);
	const came = await Promise.all(asks.map(async ask => Promise.race([ask, time.promise])));
	clearTimeout(timer);
	return {models: came.flatMap(models => models ?? []), isComplete: !came.includes(undefined)};
}
