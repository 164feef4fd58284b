export type NotificationOptions = {
	/** The bell rings when a run ends or a question opens: while the terminal is unfocused, always, or never. */
	readonly bell: 'unfocused' | 'always' | 'never';
	/** Whether the window gets a title. */
	readonly title: boolean;
	/** The value of `$TERM`. The Linux console has no window. */
	readonly term: string | undefined;
};

/** This state has the latest notifications to the user. */
export type NotificationState = {
	/** The title of the window. */
	readonly title: string | undefined;
	/** Something runs since this time. */
	readonly runningSince: number | undefined;
	/** The id of the first question. */
	readonly askId: string | undefined;
};

export const noNotifications: NotificationState = {title: undefined, runningSince: undefined, askId: undefined};
