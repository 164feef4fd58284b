import {t} from '../../language/index.ts';

/** Where the value of a setting comes from. */
export const settingOrigins = {
	default: t`default`,
	user: t`yours`,
	project: t`project`,
	flag: t`option`,
	environment: t`environment`,
} as const;
