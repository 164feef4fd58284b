/** The facts that the first screen of a new session shows in its first frame. */
export type FirstScreen = {
	readonly version: string;
	/** Whether inkpod asks the servers on this machine for a model. */
	readonly looksForModel: boolean;
};

/** A recent session of the project, which you open with one key. `words` are untrusted. */
export type RecentSession = {readonly id: string; readonly words: string; readonly age: string};

/** The facts that inkpod learns after the first frame. Each field is absent until its fact is known. */
export type FirstNews = {
	/** The checked-out branch, or the commit if HEAD is detached. The text is untrusted. */
	readonly head?: {readonly branch: string} | {readonly commit: string};
	/** The most recent sessions of the project, the latest first. */
	readonly recent?: readonly RecentSession[];
	/** The models of the servers on this machine, the best choice first. Their names are untrusted. */
	readonly localModels?: readonly string[];
};

/** `offeredAt` is the time when a frame first offered to use a model on this machine. */
export type FirstScreenState = {readonly news: FirstNews; readonly offeredAt: number | undefined};

export type FirstScreenAction =
	/** More facts for the first screen are known. */
	| {readonly type: 'first screen news'; readonly news: FirstNews}
	/** A frame offered a model on this machine for the first time. */
	| {readonly type: 'first screen offer shown'};

export const noNews: FirstScreenState = {news: {}, offeredAt: undefined};

export function reduceFirstScreen(
	firstScreen: FirstScreenState,
	action: FirstScreenAction,
	now: number,
): FirstScreenState {
	switch (action.type) {
		case 'first screen news':
			return {...firstScreen, news: {...firstScreen.news, ...action.news}};
		case 'first screen offer shown':
			return {...firstScreen, offeredAt: now};
		default:
			return action satisfies never;
	}
}

/** The number of sessions that the first screen shows. */
export const maxRecent = 3;

/** A key press accepts the offer only if at least this number of milliseconds has passed since the offer appeared. */
export const minOfferMs = 400;

/** The actions that open the most recent sessions, the latest first. */
export const recentActions = ['recent session 1', 'recent session 2', 'recent session 3'] as const;
