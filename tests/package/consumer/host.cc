// A program that knows the plugin alone.
extern "C" int PluginDecides();

int main() { return PluginDecides(); }
