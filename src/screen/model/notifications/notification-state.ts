import type {DesktopCode} from '../../terminal/window/desktop-notification.ts';

export type NotificationOptions = {
	/**
	The condition for ringing the bell when a run ends or a question opens: while the terminal is unfocused, always, or
	never.
	*/
	readonly bell: 'unfocused' | 'always' | 'never';
	/** Whether the window gets a title. */
	readonly title: boolean;
	/** The value of `$TERM`. The Linux console has no window. */
	readonly term: string | undefined;
	/** The code of notifications on the desktop. Without it there are none. */
	readonly desktop?: DesktopCode | undefined;
};

/** The latest notifications to the user. */
export type NotificationState = {
	/** The title of the window. */
	readonly title: string | undefined;
	/** The time since which a job has been running. */
	readonly runningSince: number | undefined;
	/** The id of the first question. */
	readonly askId: string | undefined;
};

/** Stores the latest notifications to the user. */
export type NotificationAction = {readonly type: 'notified'; readonly notifications: NotificationState};

export const noNotifications: NotificationState = {title: undefined, runningSince: undefined, askId: undefined};
