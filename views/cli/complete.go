package cli

import (
	"github.com/spf13/cobra"

	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

func kernelNames() []string {
	var names []string
	for _, p := range scheduler.Profiles() {
		names = append(names, p.Name)
	}
	return names
}

func themeNames() []string {
	var names []string
	for t := range views.NumThemes {
		names = append(names, t.String())
	}
	return names
}

// completeFlag offers names for a flag. Registering fails only for a flag that
// does not exist.
func completeFlag(cmd *cobra.Command, flag string, names func() []string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return names(), cobra.ShellCompDirectiveNoFileComp
	})
}

// completeVariant offers the variants of the scenario that is named.
func completeVariant(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	s, err := scenarios.Load(args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return s.VariantNames(), cobra.ShellCompDirectiveNoFileComp
}

// completeScenario offers the built-in scenarios, and files.
func completeScenario(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return scenarios.Names(), cobra.ShellCompDirectiveDefault
}
