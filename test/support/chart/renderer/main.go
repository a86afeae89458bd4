// Renders the chart as Helm does, with the same template engine, functions, YAML and JSON Schema libraries, all of them
// Debian's. Reads the cases from standard input as JSON, and writes what became of each to standard output.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/xeipuuv/gojsonschema"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

type input struct {
	Chart string
	Cases []struct {
		Release   string
		Namespace string
		Values    object
	}
}

type output struct {
	Files  map[string]string `json:"files"`
	Error  string            `json:"error"`
	Faults []string          `json:"faults"`
}

func main() {
	var given input
	must(json.NewDecoder(os.Stdin).Decode(&given))
	outputs := []output{}
	for _, one := range given.Cases {
		outputs = append(outputs, render(given.Chart, one.Release, one.Namespace, one.Values))
	}
	must(json.NewEncoder(os.Stdout).Encode(outputs))
}

func render(chart, release, namespace string, given object) output {
	values := merge(readYaml(filepath.Join(chart, "values.yaml")), given)
	if faults := check(filepath.Join(chart, "values.schema.json"), values); len(faults) > 0 {
		return output{Faults: faults}
	}
	about := readYaml(filepath.Join(chart, "Chart.yaml"))
	top := object{
		"Values": values,
		"Chart": object{
			"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"], "Description": about["description"],
		},
		"Files": files{chart},
		"Release": object{
			"Name": release, "Namespace": namespace, "Service": "Helm", "Revision": 1, "IsInstall": true, "IsUpgrade": false,
		},
	}
	return renderAll(chart, fmt.Sprint(about["name"]), top)
}

// The files of the chart that are no templates, as a template asks for them.
type files struct{ chart string }

// Helm gives nothing for a file that there is none of.
func (f files) Get(name string) string {
	text, err := os.ReadFile(filepath.Join(f.chart, name))
	if err != nil {
		return ""
	}
	return string(text)
}

func renderAll(chart, name string, top object) output {
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	must(err)
	base := name + "/templates"
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(err)
		if _, err := all.New(base + "/" + filepath.Base(path)).Parse(string(text)); err != nil {
			return output{Error: err.Error()}
		}
	}
	files := map[string]string{}
	for _, path := range paths {
		file := filepath.Base(path)
		if strings.HasPrefix(file, "_") {
			continue
		}
		top["Template"] = object{"Name": base + "/" + file, "BasePath": base}
		var text strings.Builder
		if err := all.ExecuteTemplate(&text, base+"/"+file, top); err != nil {
			return output{Error: err.Error()}
		}
		files[file] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	return output{Files: files}
}

// What Helm adds to sprig, as far as a chart of this size needs it, and without what it takes away.
func functions(all *template.Template) template.FuncMap {
	known := sprig.TxtFuncMap()
	delete(known, "env")
	delete(known, "expandenv")
	known["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	known["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		must(err)
		return strings.TrimSuffix(string(text), "\n")
	}
	known["fromJsonArray"] = func(text string) []interface{} {
		list := []interface{}{}
		must(json.Unmarshal([]byte(text), &list))
		return list
	}
	known["fail"] = func(message string) (string, error) { return "", fmt.Errorf("%s", message) }
	return known
}

// Values of the chart below those that were given: maps are joined, null takes a key away, all else is replaced.
func merge(own, given object) object {
	for key, value := range given {
		below, isMap := own[key].(object)
		above, isMapToo := value.(object)
		if _, exists := own[key]; value == nil && exists && own[key] != nil {
			delete(own, key)
		} else if isMap && isMapToo {
			own[key] = merge(below, above)
		} else {
			own[key] = value
		}
	}
	return own
}

func check(schema string, values object) []string {
	text, err := os.ReadFile(schema)
	must(err)
	// The library compiles a pattern when it needs it; one that Go cannot read would be found by a user.
	for _, found := range regexp.MustCompile(`"pattern": ("(?:[^"\\]|\\.)*")`).FindAllStringSubmatch(string(text), -1) {
		var pattern string
		must(json.Unmarshal([]byte(found[1]), &pattern))
		regexp.MustCompile(pattern)
	}
	result, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(text), gojsonschema.NewGoLoader(values))
	must(err)
	faults := []string{}
	for _, fault := range result.Errors() {
		faults = append(faults, fault.String())
	}
	return faults
}

func readYaml(path string) object {
	text, err := os.ReadFile(path)
	must(err)
	values := object{}
	must(yaml.Unmarshal(text, &values))
	return values
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
