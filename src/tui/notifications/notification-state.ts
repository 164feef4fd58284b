export type NotificationOptions = {
	/**
	When the bell rings, once a run ends or something is asked: when the terminal has not the focus, always, never.
	*/
	readonly bell: 'unfocused' | 'always' | 'never';
	/** Whether the window is named. */
	readonly title: boolean;
	/** `$TERM`: a console has no window. */
	readonly term: string | undefined;
};

/** What the user was last made aware of. */
export type NotificationState = {
	/** The window's name. */
	readonly title: string | undefined;
	/** Since when something runs. */
	readonly runningSince: number | undefined;
	/** The first question. */
	readonly askId: string | undefined;
};

export const noNotifications: NotificationState = {title: undefined, runningSince: undefined, askId: undefined};
