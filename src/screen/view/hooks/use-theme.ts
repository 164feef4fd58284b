import {createContext, use} from 'react';
import type {Theme} from '../../spans/theme.ts';

export const ThemeContext = createContext<Theme | undefined>(undefined);

/** Returns the theme of the screen. */
export function useTheme(): Theme {
	const theme = use(ThemeContext);
	if (theme === undefined) throw new Error('useTheme needs a ThemeContext');
	return theme;
}
