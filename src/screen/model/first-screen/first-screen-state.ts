/** What the first screen of a new session shows from its first frame on. */
export type FirstScreen = {
	readonly version: string;
	/** Whether inkpod asks the servers on this machine for a model. */
	readonly looksForModel: boolean;
};

/** A session of the project that one key opens. Its words are untrusted. */
export type RecentSession = {readonly id: string; readonly words: string; readonly age: string};

/** What becomes known after the first frame. Each part is absent until then. */
export type FirstNews = {
	/** The branch, or the commit if no branch is checked out. Both are untrusted. */
	readonly head?: {readonly branch: string} | {readonly commit: string};
	/** The last sessions of the project, the latest first. */
	readonly recent?: readonly RecentSession[];
	/** The models of the servers on this machine, the best choice first. Their names are untrusted. */
	readonly localModels?: readonly string[];
};

/** `offeredAt` is the time when a frame first showed the offer of a model of this machine. */
export type FirstScreenState = {readonly news: FirstNews; readonly offeredAt: number | undefined};

export type FirstScreenAction =
	/** More became known about what the first screen shows. */
	| {readonly type: 'first screen news'; readonly news: FirstNews}
	/** A frame showed the offer of a model for the first time. */
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

/** A press accepts the offer only this many milliseconds after the offer appeared. */
export const minOfferMs = 400;

/** The actions that open the last sessions, the latest first. */
export const recentActions = ['recent session 1', 'recent session 2', 'recent session 3'] as const;
